import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readContentFiles } from '#api/content-files.ts'
import { checkContent } from '#api/content/rules/check-content.ts'
import { type GivenContent, readGiven } from '#api/content/rules/read-given.ts'
import { problemMessage } from '#api/content/rules/say-problem.ts'
import { makeSiteContent } from '#api/site-content.ts'
import { defaultAppId } from '#contract/apps.ts'
import { completeLanguages, type Language } from '#contract/languages.ts'
import { answeringOne } from '#tests/setup/one-announcement.ts'
import { answering } from '#tests/setup/site-content.ts'
import { milestone, wishes, type Files } from '#tests/wishes-for-content.ts'
import { render } from '#web/entry.server.tsx'

/* The numbers in the specification are those of the sample (`sample-brand.test.ts`). A project with its own content
   has other teams, networks, and documents, or none. None of these wishes may cause an error, and the pages must
   show them. */

const { given } = readGiven(join(import.meta.dirname, '../../content'))
const files = readContentFiles()

/** Returns the content with some of its files changed. */
function changed(change: (files: Files) => void): { given: GivenContent; values: Files } {
  const values: Files = {}
  const proxy = new Proxy(values, {
    get: (_, file: string) => (values[file] ??= structuredClone(given.json(file))),
    set: (_, file: string, value) => ((values[file] = value), true),
  })
  change(proxy)
  // Generated files are left out, because no wish depends on them.
  const names: GivenContent['names'] = (folder) => (folder.startsWith('media/') ? [] : given.names(folder))
  return { given: { json: (file) => values[file] ?? given.json(file), names }, values }
}

const htmlOf = async (values: Files, path: string, language: Language) => {
  const content = makeSiteContent(() => ({
    ...files,
    brand: (values['brand.json'] as Record<string, unknown> | undefined) ?? files.brand,
    documents: values['media/pdfs/documents.json'] ?? files.documents,
    facts: new Map([...files.facts].map(([file, value]) => [file, values[file] ?? value])),
  }))
  const { status, html } = await render({
    path,
    language,
    call: answering(content, answeringOne),
    origin: 'https://coin.example',
    appId: defaultAppId,
    filesOf: () => ({
      languageCheck: '/l.js',
      entry: '/e.js',
      page: '/p.js',
      styles: [],
      modules: [],
      fonts: [],
    }),
  })
  expect(status).toBe(200)
  return html.replaceAll(/<script[\s\S]*?<\/script>/g, '')
}

test.each(wishes)(
  '$wish: no mistake, and the pages show it',
  async ({ change, page = '/', shows = [], hides = [] }) => {
    const { given: wished, values } = changed(change)
    expect(checkContent(wished).map((found) => problemMessage(found))).toEqual([])
    for (const language of completeLanguages) {
      const html = await htmlOf(values, page, language)
      for (const text of shows) expect(html).toContain(text)
      for (const text of hides) expect(html).not.toContain(text)
      expect(html).not.toMatch(/\{\w+\}<|undefined|NaN|\[object/)
    }
  },
)

test.each([
  'https://www.youtube.com/@name',
  'https://fosstodon.org/@name',
  'https://mastodon.social/@name@other.example',
  'https://www.threads.net/@name',
  'https://www.tiktok.com/@name',
  'https://medium.com/@name',
  'https://t.me/name',
  'https://bsky.app/profile/name.example',
  'https://matrix.to/#/#name:matrix.org',
  'https://matrix.to/#/@name:matrix.org',
  'https://primal.net/p/npub1xyz',
  'https://line.me/R/ti/p/@name',
  'https://space.bilibili.com/1234',
  'https://www.zhihu.com/people/name',
  'https://farcaster.xyz/name?x=a@b.example',
])('an account at %s is taken as the network writes it', (social) => {
  const { given: wished } = changed((f) => (f['brand.json'].social.other = social))
  expect(checkContent(wished)).toEqual([])
})

test.each([
  ['http://a.example/@name', 'web_address'],
  ['www.youtube.com/@name', 'web_address'],
  ['https://a.example@b.example', 'web_address_user'],
  ['https://a.example%40b.example/@name', 'web_address_user'],
  ['https://user:word@b.example/@name', 'web_address_user'],
  ['https:////a.example@b.example', 'web_address_host'],
  ['https://a.example/a b', 'web_address_characters'],
  ['https://a.example\\@b.example', 'web_address_characters'],
  ['https://', 'web_address_host'],
  ['https://a b', 'web_address_characters'],
  ['https://a..%00/@name', 'web_address_host'],
])('the address %s is refused for what is wrong with it: %s', (social, code) => {
  const found = checkContent(changed((f) => (f['brand.json'].social.other = social)).given)
  expect(found.map((each) => each.code)).toEqual([code])
})

test.each<[string, (files: Files) => void, string]>([
  [
    'an address that runs a script',
    (f) => (f['brand.json'].social.discord = 'javascript:alert(1)'),
    'brand.json social.discord',
  ],
  [
    'a network without a name',
    (f) => (f['brand.json'].social['<b>'] = 'https://a.example'),
    'brand.json social.<b>',
  ],
  [
    'a milestone of a fifth quarter',
    (f) => (f['facts/roadmap.json'] = [milestone(1, '2022-Q5')]),
    'facts/roadmap.json step-1.date',
  ],
  [
    'an entry without its Chinese',
    (f) => (f['facts/roadmap.json'] = [{ ...milestone(1), cn: undefined }]),
    'facts/roadmap.json step-1.cn',
  ],
  [
    'a chain with a prefix and none given',
    (f) => (f['brand.json'].chain = { format: 'bech32' }),
    'brand.json chain.prefix',
  ],
  ['a ticker with a space', (f) => (f['brand.json'].ticker = 'A B'), 'brand.json ticker'],
])('%s is refused with a sentence, its file and its place', (_, change, place) => {
  const found = checkContent(changed(change).given).map((each) => problemMessage(each))
  expect(found.map(({ file, place: at }) => `${file} ${at}`)).toEqual([place])
  for (const { words: said } of found)
    for (const language of completeLanguages) expect(said[language]).not.toBe('')
})
