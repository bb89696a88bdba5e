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

test.each([
  ['2029-12-31T23:59:59Z', undefined],
  ['2030-01-01T00:00:00Z', 'first'],
  ['2030-03-31T23:59:59Z', 'first'],
  ['2030-04-01T00:00:00Z', 'second'],
  ['2031-06-15T12:00:00Z', 'third'],
])('at %s, marks milestone %s as current', (now, id) => {
  const milestone = (id: string, date: string) => ({ ...roadmap[0]!, id, date })
  const facts = {
    ...allFacts,
    'facts/roadmap.json': [
      milestone('first', '2030-01'),
      milestone('second', '2030-Q2'),
      milestone('third', '2031'),
    ],
  } as typeof allFacts
  const marked = homeFacts(facts, 'en', new Date(now)).roadmap.filter(({ isToday }) => isToday)
  expect(marked.map((each) => each.id)).toEqual(id ? [id] : [])
})

test('formats the date of a figure in each language', () => {
  const dayIn = (language: 'en' | 'cn') =>
    homeFacts(allFacts, language).coinFacts.find(({ id }) => id === 'mined-so-far')?.date
  expect(dayIn('en')?.text).toMatch(/^[A-Z][a-z]+\s\d+, 20\d\d$/)
  expect(dayIn('cn')?.text).toMatch(/^20\d\d\s年\s\d+\s月\s\d+\s日$/)
})
