import { expect, test } from 'vitest'
import { contentFolder } from '../../../platform/site-content/content-folder.ts'
import { findSample, type Said } from './find-sample.ts'
import { readSiteTexts } from './read-site-texts.ts'

/** A project that took over the sample under another name with `npm run rebrand`, and changed nothing else. */
const sample = readSiteTexts(contentFolder)
const own: Said = {
  brand: {
    name: 'Blue Finch',
    ticker: 'BLU3',
    tagline: { en: 'A line that this project wrote', cn: '这是本项目自己写的一句话' },
    email: 'hello@finch.org',
    links: { exchange: 'https://exchange.org' },
    social: { x: 'https://x.com/finch' },
  },
  facts: () => undefined,
  words: () => undefined,
  media: [],
}
const partner = (name: string, line: string) => ({ id: 'a', en: { name, line }, cn: {} })

test('finds nothing in a project’s own content', () => {
  expect(findSample(own)).toEqual([])
})

test('names remaining addresses under .example, which lead nowhere', () => {
  const brand = {
    ...(own.brand as object),
    email: 'hello@finch.example',
    links: { blog: 'https://blog.finch.example/x', exchange: 'https://exchange.org/?from=a.example.org' },
    social: { x: 'https://x.com/example' },
  }
  expect(findSample({ ...own, brand })).toEqual(['brand.json email', 'brand.json links.blog'])
})

test('a changed text counts as the project’s own', () => {
  const said = (line: string): Said => ({
    ...own,
    facts: (file) => (file === 'facts/partners.json' ? [partner('An Exchange', line)] : undefined),
  })
  expect(findSample(said('Trades BLU3 against other coins'))).toEqual([])
})

test('films, pictures, and PDFs of the sample are found by their bytes', () => {
  const found = findSample({ ...own, media: sample.media })
  expect(found).toEqual(sample.media.map(({ place }) => place))
  for (const kind of ['films/hero.mp4', 'share/home-en.png', 'icons/favicon.svg', 'pdfs/white-paper-cn.pdf'])
    expect(found).toContain(`media/${kind}`)
  const others = sample.media.map(({ place, sha256 }) => ({
    place,
    sha256: sha256.split('').toReversed().join(''),
  }))
  expect(findSample({ ...own, media: others })).toEqual([])
})

test('finds documents and captions of the sample even if their PDFs were generated under another name', () => {
  const { name, ticker } = sample.brand as { name: string; ticker: string }
  const renamed = (text: string) =>
    text.replaceAll(name, 'Blue Finch').replaceAll(new RegExp(`\\b${ticker}\\b`, 'g'), 'BLU3')
  const sources = (sample.sources ?? []).map((each) => ({ ...each, text: renamed(each.text) }))
  expect(findSample({ ...own, sources })).toEqual(
    sources.map(({ place, language }) => `${place} (${language})`),
  )
})

test('finds texts, data, and colors of the sample by place, whatever the rest contains', () => {
  const found = findSample({ ...own, colours: sample.colours, words: sample.words })
  expect(found.every((place) => /^(messages\/(en|cn)\/|colours\.json)/.test(place))).toBe(true)
})
