import { expect, test } from 'vitest'
import { homeFacts } from './home-facts.ts'

test('the facts of one language hold nothing of the other', () => {
  expect(JSON.stringify(homeFacts('en'))).not.toMatch(/\p{Script=Han}/u)
  const { partners, roadmap, features } = homeFacts('cn')
  for (const { line } of partners) expect(line).toMatch(/\p{Script=Han}/u)
  for (const { title, text } of [...roadmap, ...features]) expect(title + text).toMatch(/\p{Script=Han}/u)
})

test('the captions of the films do not travel with the page', () => {
  expect(JSON.stringify(homeFacts('en').films)).not.toContain('captions')
})

test('months are written as each language writes them', () => {
  expect(homeFacts('en').roadmap[0]?.month).toBe('Nov 2022')
  expect(homeFacts('cn').roadmap[0]?.month).toBe('2022 年 11 月')
})

test('home has three films, sixteen milestones and four groups of people', () => {
  const { films, roadmap, team } = homeFacts('en')
  expect(films).toHaveLength(3)
  expect(roadmap).toHaveLength(16)
  expect(team.map(({ id }) => id)).toEqual(['advisory-board', 'management', 'engineering', 'marketing'])
})
