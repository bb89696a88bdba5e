import { expect, test } from 'vitest'
import allFilms from '#content/facts/films.json'
import roadmap from '#content/facts/roadmap.json'
import team from '#content/facts/team.json'
import { allFacts } from '#tests/setup/site-content.ts'
import { homeFacts } from './home-facts.ts'

test('the facts of one language contain nothing of the other', () => {
  expect(JSON.stringify(homeFacts(allFacts, 'en'))).not.toMatch(/\p{Script=Han}/u)
  const { partners, roadmap, features } = homeFacts(allFacts, 'cn')
  for (const { line } of partners) expect(line).toMatch(/\p{Script=Han}/u)
  for (const { title, text } of [...roadmap, ...features]) expect(title + text).toMatch(/\p{Script=Han}/u)
})

test("captions of films are not part of the page's data", () => {
  expect(JSON.stringify(homeFacts(allFacts, 'en').films)).not.toContain('captions')
})

test('formats months as each language does', () => {
  const [first] = roadmap
  const [year, month] = first!.date.split('-').map(Number)
  expect(homeFacts(allFacts, 'cn').roadmap[0]?.month).toBe(`${year} 年 ${month} 月`)
  expect(homeFacts(allFacts, 'en').roadmap[0]?.month).toMatch(new RegExp(`^[A-Z][a-z]{2} ${year}$`))
})

test('includes every film, milestone, and group of people', () => {
  const { films, roadmap: milestones, team: groups } = homeFacts(allFacts, 'en')
  expect(films).toHaveLength(allFilms.filter(({ place }) => place === 'home').length)
  expect(milestones.map(({ id }) => id)).toEqual(roadmap.map(({ id }) => id))
  expect(groups.map(({ id, members }) => [id, members.length])).toEqual(
    team.map(({ id, members }) => [id, members.length]),
  )
})
