import { createHash } from 'node:crypto'
import { ownBrand as brand } from '#tests/own-brand.ts'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import home from '#content/messages/en/home.json' with { type: 'json' }
import manuals from '#content/facts/manuals.json' with { type: 'json' }
import roadmap from '#content/facts/roadmap.json' with { type: 'json' }
import team from '#content/facts/team.json' with { type: 'json' }
import { contentFolder } from '#api/platform/site-content/content-folder.ts'
import { asPdfUrl, aPdf } from '#tests/a-pdf.ts'
import { aPicture } from '#tests/builders.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { checkContent } from '../../../../../scripts/check-content.ts'
import { applyPublished } from '../apply-published.ts'
import { recordFiles } from '../record-files.ts'
import { exportContent } from './export-content.ts'
import { importContent } from './import-content.ts'
import { writeJson } from './write-json.ts'

/** A copy of the content without films, which no one edits. */
function aCopy(): string {
  const root = mkdtempSync(join(tmpdir(), 'content-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const films = join(contentFolder, 'media/films')
  cpSync(contentFolder, join(root, 'content'), {
    recursive: true,
    filter: (source) => source !== films && !source.includes('/samples/documents'),
  })
  return join(root, 'content')
}

/** Every file with the SHA-256 of its bytes. */
function sumsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )
  return Object.fromEntries(
    files.toSorted().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}

const contentOf = ({ services: { content } }: TestApi) => ({
  en: content.words('en', 'home'),
  cn: content.words('cn', 'home'),
  roadmap: content.facts('facts/roadmap.json'),
  team: content.facts('facts/team.json'),
  brand: content.brand(),
  documents: content.documents().map(({ file, sha256, version }) => [file, sha256, version]),
})

async function anInstallation(): Promise<TestApi> {
  const started = await startApi()
  await recordFiles(started.services.db)
  return started
}

async function edited(started: TestApi): Promise<void> {
  const desk = await aContentDesk(started)
  const [key] = Object.keys(home)
  await desk.put('messages/home', { [`en.${key}`]: 'Said "anew" & again', [`cn.${key}`]: '重新说过' })
  await desk.put('mails/frame', {
    'en.frame.signature': 'Yours, {brand}',
    'cn.frame.signature': '{brand} 敬上',
  })
  await desk.put('facts/roadmap.json', { '': roadmap.toReversed().slice(1).toReversed() })
  await desk.put('brand.json', {
    '': { ...((await desk.read('brand.json')).value as object), phone: '+1 555 0123' },
  })
  const { body } = await desk.call(api.uploadContentPicture, { body: { picture: await aPicture() } })
  const [group, ...groups] = team
  const [first, ...members] = group!.members
  await desk.put('facts/team.json', {
    '': [{ ...group, members: [{ ...first, photo: body.photo }, ...members] }, ...groups],
  })
  const pdf = aPdf({ pages: 4 })
  const uploaded = await desk.call(api.uploadContentDocument, {
    body: { base: 'brochure', language: 'cn', title: '手册', version: '3.0', basedOn: 0, pdf: asPdfUrl(pdf) },
  })
  expect(uploaded.status).toBe(201)
  expect((await desk.publish(['documents/brochure'])).status).toBe(200)
  await desk.save('messages/legal', { 'en.legal.terms.title': 'Terms of this site' })
  expect((await desk.publish(['messages/legal'], { newVersions: ['terms'] })).status).toBe(200)
}

test('every exportable file is formatted like the export', () => {
  const names = ['messages/en', 'messages/cn', 'facts'].flatMap((folder) =>
    readdirSync(join(contentFolder, folder)).map((name) => `${folder}/${name}`),
  )
  for (const name of [...names, 'brand.json', 'emails/en.json', 'emails/cn.json']) {
    const text = readFileSync(join(contentFolder, name), 'utf8')
    expect({ name, text: writeJson(JSON.parse(text), text) }).toEqual({ name, text })
  }
})

test('an export without changes writes nothing', async () => {
  const { services } = await anInstallation()
  const folder = aCopy()
  const before = sumsOf(folder)
  expect(await exportContent(services, folder)).toEqual([])
  expect(sumsOf(folder)).toEqual(before)
})

test('an export imported into another running installation exports identical bytes', async () => {
  const first = await anInstallation()
  await edited(first)
  const folder = aCopy()
  const untouched = sumsOf(folder)
  const written = await exportContent(first.services, folder)
  expect(written.filter((name) => !/people/.test(name)).toSorted()).toEqual([
    'brand.json',
    'emails/cn.json',
    'emails/en.json',
    'facts/roadmap.json',
    'facts/team.json',
    'media/pdfs/brochure-cn.pdf',
    'media/pdfs/documents.json',
    'messages/cn/home.json',
    'messages/en/home.json',
    'messages/en/legal.json',
  ])
  const exported = sumsOf(folder)
  expect(Object.keys(exported).filter((name) => exported[name] !== untouched[name])).toHaveLength(11)
  expect(checkContent(join(folder, '..'))).toEqual([])
  // A second run has nothing left to write.
  expect(await exportContent(first.services, folder)).toEqual([])

  const second = await anInstallation()
  const taken = await importContent(second.services, folder)
  expect(taken.toSorted()).toEqual([
    'brand.json',
    'documents/brochure',
    'facts/roadmap.json',
    'facts/team.json',
    'mails/frame',
    'messages/home',
    'messages/legal',
  ])
  await applyPublished(second.services)
  expect(contentOf(second)).toEqual(contentOf(first))
  expect(second.services.content.brand().legal.terms).not.toBe(brand.legal.terms)
  expect(await importContent(second.services, folder)).toEqual([])
  const again = aCopy()
  await exportContent(second.services, again)
  expect(sumsOf(again)).toEqual(exported)
})

test('a value replaced by an import stays among the versions', async () => {
  const started = await anInstallation()
  const desk = await aContentDesk(started)
  const [key, other] = Object.entries(home).flatMap(([name, text]) => (/[{<]/.test(text) ? [] : [name]))
  await desk.put('messages/home', { [`en.${key}`]: 'From the console' })
  const folder = aCopy()
  const path = join(folder, 'messages/en/home.json')
  const inFile = { ...(JSON.parse(readFileSync(path, 'utf8')) as object), [other!]: 'From the file' }
  writeFileSync(path, JSON.stringify(inFile))
  expect(await importContent(started.services, folder)).toEqual(['messages/home'])
  await applyPublished(started.services)
  const words = started.services.content.words('en', 'home')!
  expect([words[key!], words[other!]]).toEqual([home[key as keyof typeof home], 'From the file'])
  const { body } = await desk.call(api.listContentVersions, { query: { piece: 'messages/home' } })
  expect(body.map(({ origin }) => origin)).toEqual(['command', 'console', 'file'])
  expect(body[0]!.by).toBeNull()
})

test('imports other networks, fewer links, and lists of other lengths', async () => {
  const started = await anInstallation()
  const folder = aCopy()
  const { phone: _, ...rest } = brand
  const social = { discord: 'https://discord.example/coin' }
  writeFileSync(join(folder, 'brand.json'), JSON.stringify({ ...rest, social, links: { wallet: {} } }))
  writeFileSync(join(folder, 'facts/roadmap.json'), JSON.stringify(roadmap.slice(0, 9)))
  expect((await importContent(started.services, folder)).toSorted()).toEqual([
    'brand.json',
    'facts/roadmap.json',
  ])
  await applyPublished(started.services)
  const { content } = started.services
  expect(content.brand()).toMatchObject({ social, links: { wallet: {} } })
  expect(content.brand()).not.toHaveProperty('phone')
  expect(content.facts('facts/roadmap.json')).toHaveLength(9)
})

test('an import with an error changes nothing and names the place', async () => {
  const started = await anInstallation()
  const folder = aCopy()
  const path = join(folder, 'facts/roadmap.json')
  writeFileSync(path, JSON.stringify([{ ...roadmap[0]!, date: '2026-13' }]))
  await expect(importContent(started.services, folder)).rejects.toThrow('must be a month (2026-11)')
  writeFileSync(path, '{')
  await expect(importContent(started.services, folder)).rejects.toThrow('isn’t valid JSON')
})

test('a withdrawn edition leaves the files, and an import withdraws what a folder does not list', async () => {
  const first = await anInstallation()
  const desk = await aContentDesk(first)
  const upload = await desk.call(api.uploadContentDocument, {
    body: {
      base: 'added-here',
      language: 'en',
      title: 'Added',
      version: '1.0',
      basedOn: 0,
      pdf: asPdfUrl(aPdf({ mark: 'added' })),
    },
  })
  expect(upload.status).toBe(201)
  await desk.call(api.withdrawContentDocument, {
    body: { base: 'mining', language: 'cn', basedOn: (await desk.read('documents/mining')).version },
  })
  await desk.save('facts/manuals.json', {
    '': manuals.map((each) => (each.fileTitle === 'mining' ? { ...each, hasChinese: false } : each)),
  })
  const pieces = ['documents/added-here', 'documents/mining', 'facts/manuals.json']
  expect((await desk.publish(pieces)).status).toBe(200)
  const untouched = aCopy()
  const folder = aCopy()
  const withdrawn = 'media/pdfs/mining-cn.pdf'
  expect((await exportContent(first.services, folder)).toSorted()).toEqual([
    'facts/manuals.json',
    'media/pdfs/added-here-en.pdf',
    'media/pdfs/documents.json',
    withdrawn,
  ])
  expect(Object.keys(sumsOf(folder))).not.toContain(withdrawn)
  expect(checkContent(join(folder, '..'))).toEqual([])

  const second = await anInstallation()
  expect((await importContent(second.services, folder)).toSorted()).toEqual(pieces)
  await applyPublished(second.services)
  expect(contentOf(second)).toEqual(contentOf(first))
  // Restores the original folder: additions are removed, and removals are undone.
  expect((await importContent(second.services, untouched)).toSorted()).toEqual(pieces)
  await applyPublished(second.services)
  const files = second.services.content.documents().map(({ file }) => file)
  expect([files.includes('added-here-en.pdf'), files.includes('mining-cn.pdf')]).toEqual([false, true])
})

test('an import rejects a PDF with active content', async () => {
  const started = await anInstallation()
  const folder = aCopy()
  const bytes = aPdf({ extra: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>' })
  const list = join(folder, 'media/pdfs/documents.json')
  const listed = JSON.parse(readFileSync(list, 'utf8')) as { file: string; sha256: string }[]
  const entry = listed.find(({ file }) => file === 'brochure-en.pdf')!
  entry.sha256 = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(list, JSON.stringify(listed))
  writeFileSync(join(folder, 'media/pdfs', entry.file), bytes)
  await expect(importContent(started.services, folder)).rejects.toThrow(
    'contains scripts, forms, or attachments',
  )
})
