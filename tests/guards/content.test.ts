import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { name, ticker } from '#content/brand.json'
import { checkContent } from '../../scripts/check-content.ts'

const repository = resolve(import.meta.dirname, '../..')

const made = ['documents', 'media/pdfs', 'media/films'].map((folder) => join(repository, 'content', folder))

/** A copy of the repository's content, without documents and films, with one file changed. */
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

/** As `contentWith`, with the file read and written as a list of entries. */
function contentWithEntries(file: string, change: (entries: Entry[]) => Entry[]): string {
  return contentWith(file, (text) => JSON.stringify(change(JSON.parse(text) as Entry[])))
}

test('the content of this repository has no mistake', () => {
  expect(checkContent(repository)).toEqual([])
})

test('an entry without its Chinese is named', () => {
  const root = contentWithEntries('facts/roadmap.json', (milestones) =>
    milestones.map(({ cn, ...rest }) => (rest.id === 'main-network' ? rest : { ...rest, cn })),
  )
  expect(checkContent(root)).toEqual(['content/facts/roadmap.json: main-network.cn: missing'])
})

test('an entry whose Chinese is still English is named', () => {
  const root = contentWithEntries('facts/features.json', (features) =>
    features.map((feature) => (feature.id === 'dao' ? { ...feature, cn: feature.en } : feature)),
  )
  expect(checkContent(root)).toEqual([
    'content/facts/features.json: dao.cn: Chinese holds no Chinese characters',
  ])
})

test('a roadmap of 15 milestones is refused with the number it must have', () => {
  const root = contentWithEntries('facts/roadmap.json', (milestones) => milestones.slice(0, 15))
  expect(checkContent(root)).toEqual(['content/facts/roadmap.json: (file): has 15 entries, must have 16'])
})

test('milestones out of order are named', () => {
  const root = contentWithEntries('facts/roadmap.json', (milestones) =>
    milestones.map((milestone) =>
      milestone.id === 'first-halving' ? { ...milestone, date: '2027-11' } : milestone,
    ),
  )
  expect(checkContent(root)).toEqual([
    'content/facts/roadmap.json: first-halving.date: is before the one above',
  ])
})

test('an id used twice is named', () => {
  const root = contentWithEntries('facts/technical-help.json', ([first, second, ...rest]) => [
    first!,
    { ...second!, id: first!.id },
    ...rest,
  ])
  expect(checkContent(root)).toEqual([
    expect.stringMatching(/^content\/facts\/technical-help\.json: [a-z-]+\.id: "[a-z-]+" is used twice$/),
  ])
})

test('broken JSON is reported with its file, for facts and for messages', () => {
  const cut = (text: string) => text.slice(0, -3)
  for (const file of ['facts/team.json', 'messages/cn/home.json'])
    expect(checkContent(contentWith(file, cut))).toEqual([
      expect.stringMatching(`^content/${file}: \\(file\\): is not JSON: `),
    ])
})

test('an unknown key is named', () => {
  const root = contentWithEntries('facts/partners.json', (partners) =>
    partners.map((partner) => (partner.id === 'millrace' ? { ...partner, logo: 'x' } : partner)),
  )
  expect(checkContent(root)).toEqual(['content/facts/partners.json: millrace: Unrecognized key: "logo"'])
})

test('a placeholder that differs between the languages is named', () => {
  const root = contentWith('messages/cn/home.json', (text) => text.replace('{count}', '{number}'))
  expect(checkContent(root)).toEqual([
    'content/messages/cn/home.json: home.roadmap.list: placeholders are {number}, in English {count}',
  ])
})

test('a tag that differs between the languages is named', () => {
  const root = contentWith('messages/cn/help.json', (text) =>
    text.replace('<link>', '').replace('</link>', ''),
  )
  expect(checkContent(root)).toEqual([
    'content/messages/cn/help.json: help.contact.text: tags are none, in English </link> <link>',
  ])
})

test('a message missing in one language is named in that language', () => {
  const withoutHome = (text: string) => JSON.stringify({ ...JSON.parse(text), 'placeholder.home': undefined })
  for (const language of ['en', 'cn'])
    expect(checkContent(contentWith(`messages/${language}/placeholder.json`, withoutHome))).toEqual([
      `content/messages/${language}/placeholder.json: placeholder.home: missing`,
    ])
})

test('a key written twice in one file is named', () => {
  const root = contentWith('messages/en/placeholder.json', (text) =>
    text.replace('{', '{\n  "placeholder.home": "Home",'),
  )
  expect(checkContent(root)).toEqual([
    'content/messages/en/placeholder.json: placeholder.home: is there twice',
  ])
})

test('a message that names the brand is named', () => {
  const root = contentWith('messages/en/help.json', (text) => text.replaceAll('{ticker}', ticker))
  expect(checkContent(root)).toEqual([
    expect.stringContaining('messages/cn/help.json: help.faq.intro: placeholders are'),
    'content/messages/en/help.json: help.faq.intro: names the brand: use {brand} or {ticker}',
  ])
})

test('a page description too short for a search page is named', () => {
  const root = contentWith('messages/en/meta.json', (text) =>
    text.replace(/("meta\.help\.description": ").*"/, '$1Help for {brand} and {ticker}"'),
  )
  expect(checkContent(root)).toEqual([
    `content/messages/en/meta.json: meta.help.description: has ${`Help for ${name} and ${ticker}`.length} characters, must have 120 to 160`,
  ])
})

test('a colour that cannot be read on its ground is named with it', () => {
  const root = contentWith('colours.json', (text) => {
    const colours = JSON.parse(text) as { ground: { light: string } }
    return JSON.stringify({ ...colours, icon: colours.ground.light })
  })
  expect(checkContent(root)).toEqual([
    'content/colours.json: icon: has a contrast of 1:1 on ground.light, must have 3:1 to be readable',
  ])
})

test('a photo that is not there is named', () => {
  const root = contentWithEntries('facts/ambassadors.json', (ambassadors) =>
    ambassadors.map((one) => (one.id === 'gao-ruoxi' ? { ...one, photo: 'nobody.webp' } : one)),
  )
  expect(checkContent(root)).toEqual([
    'content/facts/ambassadors.json: gao-ruoxi.photo: no media/people/nobody.webp',
  ])
})

test('once there are PDFs, a document without its file is named', () => {
  const root = contentWith('brand.json', (text) => text.replace('"white-paper"', '"blue-paper"'))
  cpSync(join(repository, 'content/brand.json'), join(root, 'content/media/pdfs/some.pdf'))
  expect(checkContent(root)).toEqual(
    expect.arrayContaining([
      'content/brand.json: documents.whitePaper: no media/pdfs/blue-paper-en.pdf',
      'content/brand.json: documents.whitePaper: no media/pdfs/blue-paper-cn.pdf',
    ]),
  )
})

test('once there are films, every file that is missing of one is named', () => {
  const root = contentWithEntries('facts/films.json', (films) =>
    films.map((film) => (film.id === 'hero' ? { ...film, file: 'other-hero' } : film)),
  )
  cpSync(join(repository, 'content/media/films'), join(root, 'content/media/films'), { recursive: true })
  rmSync(join(root, 'content/media/films/three-contracts-cn.vtt'))
  const hero = ['.mp4', '.av1.mp4', '.jpg', '.avif', '-narrow.jpg', '-narrow.avif']
  expect(checkContent(root)).toEqual([
    ...hero.map((ending) => `content/facts/films.json: hero.file: no media/films/other-hero${ending}`),
    'content/facts/films.json: three-contracts.file: no media/films/three-contracts-cn.vtt',
  ])
})
