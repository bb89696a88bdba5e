import { expect, test } from 'vitest'
import { name, storageKey, ticker } from '#content/brand.json'
import ambassadors from '#content/facts/ambassadors.json'
import faq from '#content/facts/faq.json'
import films from '#content/facts/films.json'
import manuals from '#content/facts/manuals.json'
import roadmap from '#content/facts/roadmap.json'
import team from '#content/facts/team.json'
import technicalHelp from '#content/facts/technical-help.json'
import partners from '#content/facts/partners.json'
import posts from '#content/samples/announcements.json'
import { contentFolder } from '#api/platform/site-content/content-folder.ts'
import { findSample, piecesOf } from '#api/publishing/content/sample/find-sample.ts'
import { readSiteTexts } from '#api/publishing/content/sample/read-site-texts.ts'
import { findLeftovers } from '../../scripts/rebrand/find-leftovers.ts'
import { namedBy, readBrand } from '../../scripts/rebrand/rebrand-tree.ts'
import { listPaths, root, textOf } from './source-files.ts'

// The extent of the sample brand. This file belongs to the sample: projects with their own content delete it.

test('the sample has sixteen milestones, twelve ambassadors of whom one is special, and four groups of people', () => {
  expect(roadmap).toHaveLength(16)
  expect(ambassadors).toHaveLength(12)
  expect(ambassadors.filter((one) => 'special' in one)).toHaveLength(1)
  expect(team.map(({ id }) => id)).toEqual(['advisory-board', 'management', 'engineering', 'marketing'])
})

test('the sample answers ten questions and seven technical ones', () => {
  expect(1 + faq.questions.length).toBe(10)
  expect(faq.main.en.items).toHaveLength(5)
  expect(technicalHelp).toHaveLength(7)
})

test('the sample has ten manuals, at least one of them without a Chinese edition', () => {
  expect(manuals).toHaveLength(10)
  expect(manuals.some(({ hasChinese }) => !hasChinese)).toBe(true)
})

test('the sample has three films on the home page, one behind its heading and one for ambassadors', () => {
  expect(films.map(({ place }) => place)).toEqual(['hero', 'home', 'home', 'home', 'ambassador'])
})

/** Whether it occurs as a whole word. */
const stands = (word: string, text: string): boolean =>
  text
    .split(word)
    .some((before, at, parts) => !/[\w-]$/.test(before) && /^(?![\w-])/.test(parts[at + 1] ?? 'end'))

test('nothing outside content knows the sample by name', () => {
  // Features are excluded, because they are named after what a chain can do.
  const people = [...ambassadors, ...partners, ...team.flatMap(({ members }) => members)]
  const entries = [...people, ...roadmap, ...manuals, ...films, ...faq.questions, ...technicalHelp]
  const words = new Set([
    name,
    ticker,
    storageKey,
    ...people.flatMap(({ en, cn }) => [en.name, cn.name]),
    // An ID with a single word is a general term.
    ...entries.map(({ id }) => id).filter((id) => id.includes('-')),
    ...posts.flatMap(({ slug, title }) => [slug, title]),
  ])
  const isCode = (path: string) =>
    /^(api|bench|contract|scripts|serve|tests|web)\/.*\.(tsx?|css|mjs)$|^[^/]+\.(ts|md)$/.test(path)
  const found = listPaths()
    .filter(isCode)
    .flatMap((path) => {
      const text = textOf(path)
      return [...words].filter((word) => stands(word, text)).map((word) => `${path}: ${word}`)
    })
  expect(found).toEqual([])
})

test('what searches a rebranded tree for the sample finds nothing outside of the content, which is rewritten', () => {
  const others = {
    name: 'Any',
    ticker: 'ANY',
    domain: 'any.example',
    prefix: 'any',
    testPrefixes: [],
    versions: [],
  }
  const left = findLeftovers(root, namedBy(readBrand(root)), others)
  const ofTheSample = /^(content\/|release\/|tests\/guards\/sample-brand\.test\.ts)/
  expect(left.filter((place) => !ofTheSample.test(place))).toEqual([])
})

test('everything that the sample claims is known by its fingerprint, also under another name', () => {
  const said = readSiteTexts(contentFolder)
  const places = new Set(piecesOf(said).map(({ place }) => place))
  const found = findSample(said).map((place) => place.replace(/ \(.*\)$/, ''))
  expect([...places].filter((place) => !found.includes(place))).toEqual([])
  for (const [file, count] of [
    ['brand.json tagline', 1],
    ['facts/partners.json ', 9],
    ['facts/coin-facts.json supply-cap', 1],
    ['colours.json', 1],
    ['media/films/hero.mp4', 1],
    ['media/share/home-en.png', 1],
    ['media/pdfs/white-paper-cn.pdf', 1],
    ['documents/en/white-paper.md', 1],
  ] as const)
    expect(found.filter((place) => place.startsWith(file))).toHaveLength(count)
  const text = JSON.stringify({ brand: said.brand, facts: said.facts('facts/partners.json') })
  const renamed = JSON.parse(
    text.replaceAll(name, 'Blue Finch').replaceAll(ticker, 'BLU3'),
  ) as typeof said & {
    facts: unknown
  }
  const words = () => undefined
  const after = findSample({ brand: renamed.brand, facts: () => renamed.facts, words, media: [] })
  expect(after.filter((place) => place.startsWith('facts/partners.json'))).toHaveLength(9)
})
