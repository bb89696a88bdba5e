import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { name, ticker } from '#content/brand.json'
import { checkContent } from '../../scripts/check-content.ts'

const repository = resolve(import.meta.dirname, '../..')

const made = ['documents', 'media/pdfs', 'media/films'].map((folder) => join(repository, 'content', folder))

/** Returns a copy of the repository's content, without documents and films, with one file changed. */
function contentWith(file: string, change: (text: string) => string): string {
  const root = mkdtempSync(join(tmpdir(), 'content-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  cpSync(join(repository, 'content'), join(root, 'content'), {
    recursive: true,
    filter: (source) => !made.includes(source),
  })
  const path = join(root, 'content', file)
  const before = readFileSync(path, 'utf8')
  const after = change(before)
  expect(after, 'the change must change something').not.toBe(before)
  writeFileSync(path, after)
  return root
}

type Entry = Record<string, unknown> & { id: string }
type Film = { id: string; place: string; file: string }

/** Like `contentWith`, but the file is parsed and written as a list of entries. */
function contentWithEntries(file: string, change: (entries: Entry[]) => Entry[]): string {
  return contentWith(file, (text) => JSON.stringify(change(JSON.parse(text) as Entry[])))
}

/** Like `contentWithEntries`, but changes the first entry, which is identified by its ID. */
function contentWithEntry(file: string, change: (entry: Entry) => object): { root: string; id: string } {
  let id = ''
  const root = contentWithEntries(file, ([first, ...rest]) => {
    id = first!.id
    return [change(first!) as Entry, ...rest]
  })
  return { root, id }
}

/** Replaces one message of the real content in one language. */
const contentWithMessage = (language: 'en' | 'cn', text: string): string =>
  contentWith(`messages/${language}/placeholder.json`, (before) =>
    JSON.stringify({ ...JSON.parse(before), 'placeholder.home': text }),
  )

test('the content of this repository has no mistake', () => {
  expect(checkContent(repository)).toEqual([])
})

test('an entry without its Chinese is named', () => {
  const { root, id } = contentWithEntry('facts/roadmap.json', (milestone) => ({
    ...milestone,
    cn: undefined,
  }))
  expect(checkContent(root)).toEqual([`content/facts/roadmap.json: ${id}.cn: is missing`])
})

test('an entry whose Chinese is still English is named', () => {
  const { root, id } = contentWithEntry('facts/features.json', (feature) => ({
    ...feature,
    cn: feature['en'],
  }))
  expect(checkContent(root)).toEqual([
    `content/facts/features.json: ${id}.cn: contains no Chinese characters`,
  ])
})

test('a roadmap of more milestones than anybody reads is refused with the numbers that it may have', () => {
  const root = contentWithEntries('facts/roadmap.json', ([first]) =>
    Array.from({ length: 61 }, (_, at) => ({ ...first!, id: `milestone-${at}` })),
  )
  expect(checkContent(root)).toEqual(['content/facts/roadmap.json: (file): has 61 entries but needs 0 to 60'])
})

test.each(['roadmap', 'ambassadors', 'team', 'partners', 'technical-help', 'features', 'coin-facts'])(
  '%s may have no entry, one or sixty',
  (name) => {
    const file = `facts/${name}.json`
    expect(checkContent(contentWithEntries(file, () => []))).toEqual([])
    expect(checkContent(contentWithEntries(file, ([first]) => [{ ...first!, id: 'the-only-one' }]))).toEqual(
      [],
    )
    const many = contentWithEntries(file, ([first]) =>
      Array.from({ length: 60 }, (_, at) => ({ ...first!, special: undefined, id: `entry-${at}` })),
    )
    expect(checkContent(many)).toEqual([])
  },
)

test.each([0, 1, 3])('%d special ambassadors are neither too few nor too many', (count) => {
  const root = contentWithEntries('facts/ambassadors.json', ([one]) =>
    Array.from({ length: 4 }, (_, at) => ({
      ...one!,
      special: at < count ? true : undefined,
      id: `person-${at}`,
    })),
  )
  expect(checkContent(root)).toEqual([])
})

test('milestones out of order are named', () => {
  const root = contentWithEntries('facts/roadmap.json', ([first]) => [
    { ...first!, id: 'landfall', date: '2027-11' },
    { ...first!, id: 'departure', date: '2027-10' },
  ])
  expect(checkContent(root)).toEqual([
    'content/facts/roadmap.json: departure.date: is earlier than the previous entry',
  ])
})

test('an id used twice is named', () => {
  const root = contentWithEntries('facts/technical-help.json', ([first]) => [first!, first!])
  const [{ id }] = JSON.parse(readFileSync(join(root, 'content/facts/technical-help.json'), 'utf8'))
  expect(checkContent(root)).toEqual([`content/facts/technical-help.json: ${id}.id: uses “${id}” twice`])
})

test('broken JSON is reported with its file, for facts and for messages', () => {
  const cut = (text: string) => text.slice(0, -3)
  for (const file of ['facts/team.json', 'messages/cn/home.json'])
    expect(checkContent(contentWith(file, cut))).toEqual([
      expect.stringMatching(`^content/${file}: \\(file\\): isn’t valid JSON: `),
    ])
})

test('an unknown key is named', () => {
  const { root, id } = contentWithEntry('facts/partners.json', (partner) => ({ ...partner, logo: 'x' }))
  expect(checkContent(root)).toEqual([`content/facts/partners.json: ${id}: has unknown fields: logo`])
})

test('a placeholder that differs between the languages is named', () => {
  const root = contentWithMessage('cn', '第 {number} 页')
  expect(checkContent(root)).toEqual([
    'content/messages/cn/placeholder.json: placeholder.home: placeholders differ: {number} here, none in English. Change one of the two',
  ])
})

test('a tag that differs between the languages is named', () => {
  const root = contentWithMessage('en', 'Go <link>home</link>')
  expect(checkContent(root)).toEqual([
    'content/messages/cn/placeholder.json: placeholder.home: tags differ: none here, </link> <link> in English. Change one of the two',
  ])
})

test('a message missing in one language is named in that language', () => {
  const withoutHome = (text: string) => JSON.stringify({ ...JSON.parse(text), 'placeholder.home': undefined })
  for (const language of ['en', 'cn'])
    expect(checkContent(contentWith(`messages/${language}/placeholder.json`, withoutHome))).toEqual([
      `content/messages/${language}/placeholder.json: placeholder.home: is missing`,
    ])
})

test('a key written twice in one file is named', () => {
  const root = contentWith('messages/en/placeholder.json', (text) =>
    text.replace('{', '{\n  "placeholder.home": "Home",'),
  )
  expect(checkContent(root)).toEqual([
    'content/messages/en/placeholder.json: placeholder.home: appears twice',
  ])
})

test('an email written twice in one file is named', () => {
  const root = contentWith('emails/en.json', (text) => text.replace('{', '{\n  "greeting": "Hello",'))
  expect(checkContent(root)).toEqual(['content/emails/en.json: greeting: appears twice'])
})

test.each(['Lodestar', 'LODE'])('a message that says %s is named, where that is the brand', (word) => {
  const root = contentWithMessage('en', `The home of ${word}`)
  renameBrand(root, 'Lodestar', 'LODE')
  expect(checkContent(root)).toEqual([
    'content/messages/en/placeholder.json: placeholder.home: names the brand: use {brand} or {ticker} instead',
  ])
})

test('a brand whose names are words of the site breaks no text', () => {
  const root = contentWithMessage('en', 'The home of the Order')
  renameBrand(root, 'Order', 'ONE')
  expect(checkContent(root)).toEqual([])
})

function renameBrand(root: string, name: string, ticker: string): void {
  const path = join(root, 'content/brand.json')
  const brand = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...brand, name, ticker }))
}

test('a page description too short for a search page is named', () => {
  const root = contentWith('messages/en/meta.json', (text) =>
    text.replace(/("meta\.help\.description": ").*"/, '$1Help for {brand} and {ticker}"'),
  )
  expect(checkContent(root)).toEqual([
    `content/messages/en/meta.json: meta.help.description: has ${`Help for ${name} and ${ticker}`.length} characters but needs 120 to 160`,
  ])
})

test('a colour that cannot be read on its ground is named with it', () => {
  const root = contentWith('colours.json', (text) => {
    const colours = JSON.parse(text) as { ground: { light: string } }
    return JSON.stringify({ ...colours, icon: colours.ground.light })
  })
  expect(checkContent(root)).toEqual([
    'content/colours.json: icon: has a contrast of 1:1 on ground.light but needs 3:1 to be readable',
  ])
})

test('a photo that is not there is named', () => {
  const { root, id } = contentWithEntry('facts/ambassadors.json', (one) => ({ ...one, photo: 'nobody.webp' }))
  expect(checkContent(root)).toEqual([
    `content/facts/ambassadors.json: ${id}.photo: media/people/nobody.webp is missing`,
  ])
})

test('once there are PDFs, a document without its file is named', () => {
  const root = contentWith('brand.json', (text) => {
    const brand = JSON.parse(text) as { documents: object }
    return JSON.stringify({ ...brand, documents: { ...brand.documents, whitePaper: 'blue-paper' } })
  })
  cpSync(join(repository, 'content/brand.json'), join(root, 'content/media/pdfs/some.pdf'))
  expect(checkContent(root)).toEqual(
    expect.arrayContaining([
      'content/brand.json: documents.whitePaper: media/pdfs/blue-paper-en.pdf is missing',
      'content/brand.json: documents.whitePaper: media/pdfs/blue-paper-cn.pdf is missing',
    ]),
  )
})

test('once there are films, every file that is missing of one is named', () => {
  const films = JSON.parse(readFileSync(join(repository, 'content/facts/films.json'), 'utf8')) as Film[]
  const hero = films.find(({ place }) => place === 'hero')!
  const story = films.find(({ place }) => place === 'home')!
  const root = contentWithEntries('facts/films.json', (entries) =>
    entries.map((film) => (film.id === hero.id ? { ...film, file: 'other-hero' } : film)),
  )
  cpSync(join(repository, 'content/media/films'), join(root, 'content/media/films'), { recursive: true })
  rmSync(join(root, `content/media/films/${story.file}-cn.vtt`))
  const endings = ['.mp4', '.av1.mp4', '.jpg', '.avif', '-narrow.jpg', '-narrow.avif']
  expect(checkContent(root)).toEqual([
    ...endings.map(
      (ending) => `content/facts/films.json: ${hero.id}.file: media/films/other-hero${ending} is missing`,
    ),
    `content/facts/films.json: ${story.id}.file: media/films/${story.file}-cn.vtt is missing`,
  ])
})
