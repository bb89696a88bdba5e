import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import manuals from '#content/facts/manuals.json' with { type: 'json' }
import team from '#content/facts/team.json' with { type: 'json' }
import listed from '#content/media/pdfs/documents.json' with { type: 'json' }
import { contentFolder } from '#api/platform/site-content/content-folder.ts'
import { asPdfUrl, aPdf } from '#tests/a-pdf.ts'
import { aPicture } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { storeKeyOf } from './content-file.queries.ts'
import { findPublishedDocument } from './open-content-file.ts'
import { readPdf } from '../../../platform/pdf/read-pdf.ts'

const started = await startApi({}, afterAll)
const { services } = started
const desk = await aContentDesk(started)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const upload = async (base: string, language: 'en' | 'cn', bytes: Buffer, basedOn?: number) =>
  desk.call(api.uploadContentDocument, {
    body: {
      base,
      language,
      title: 'A title',
      version: '2.1',
      basedOn:
        basedOn ??
        (await desk.call(api.listContentItems, {})).body.find(({ piece }) => piece === `documents/${base}`)
          ?.version ??
        0,
      pdf: asPdfUrl(bytes),
    },
  })

test('reads every PDF of the repository, with the listed page count', () => {
  for (const { file, pages } of listed)
    expect({ file, ...readPdf(readFileSync(join(contentFolder, 'media/pdfs', file))) }).toEqual({
      file,
      kind: 'fine',
      pages,
    })
})

/** Objects in a compressed stream, as most programs write them since PDF 1.5. */
function compressed(
  objects: string,
  { type = '/Type /ObjStm', before = '', cut = 0, more = '' } = {},
): Buffer {
  const stream = deflateSync(Buffer.from(`1 0 ${objects}`, 'latin1'))
  const dictionary = `<< ${type} /N 1 /First 4 /Filter /FlateDecode /Length ${stream.length} ${more} >>`
  const head = `%PDF-1.7\n${before}5 0 obj\n${dictionary}\nstream\n`
  return Buffer.concat([
    Buffer.from(head),
    stream.subarray(0, stream.length - cut),
    Buffer.from(`\nendstream\nendobj\nstartxref\n${head.length}\n%%EOF\n`),
  ])
}
const script = '<< /S /JavaScript /JS (app.alert(1)) >>'
const pageTree = '6 0 obj\n<< /Type /Pages /Count 1 >>\nendobj\n'

test('counts pages in compressed objects too', () => {
  expect(readPdf(compressed('<< /Type /Pages /Kids [3 0 R] /Count 12 >>'))).toEqual({
    kind: 'fine',
    pages: 12,
  })
})

test.each([
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n'), 'document'],
  ['HTML', Buffer.from('<html>%PDF-1.7</html>'), 'document'],
  ['a PDF that was cut off', aPdf().subarray(0, -20), 'document'],
  ['one with a password', aPdf({ extra: '/Encrypt 9 0 R' }), 'document'],
  ['one without pages', aPdf({ pages: 0 }), 'document_pages'],
  [
    'one with a script',
    aPdf({ extra: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>' }),
    'document_active',
  ],
  [
    'one whose script is written in codes',
    aPdf({ extra: '/OpenAction << /S /J#61vaScript >>' }),
    'document_active',
  ],
  ['one that starts a program', aPdf({ extra: '/OpenAction << /S /Launch /F (x) >>' }), 'document_active'],
  ['one with a file in it', aPdf({ extra: '/Names << /EmbeddedFiles 4 0 R >>' }), 'document_active'],
  // PDF readers follow the offsets in the table at the end, even into what looks like a comment.
  [
    'one with a script behind a stream in a comment',
    aPdf({ extra: `% stream\n/OpenAction ${script}\n% endstream\n` }),
    'document_active',
  ],
  [
    'one with a script behind a stream in a string',
    aPdf({ extra: `/A (>> stream\n) /OpenAction ${script} /B (endstream)` }),
    'document_active',
  ],
  ['one with a script in a comment', aPdf({ mark: `9 0 obj ${script} endobj` }), 'document_active'],
  ['one with a script in a string', aPdf({ extra: `/A (9 0 obj << /S /JavaScript >>)` }), 'document_active'],
  [
    'one whose type of stream is behind a comment',
    compressed(script, { type: '/Type%x\n/ObjStm', before: pageTree }),
    'document_active',
  ],
  [
    'one whose objects are in a stream without a type',
    compressed(script, { type: '', before: pageTree }),
    'document_active',
  ],
  [
    'one whose objects stand in a comment',
    compressed(script, { before: `${pageTree}% ` }),
    'document_active',
  ],
  [
    'one whose compressed objects have a wrong sum',
    compressed(script, { cut: 2, before: pageTree }),
    'document_active',
  ],
  [
    'one whose compressed objects are coded once more',
    compressed(script, { more: '/DecodeParms << /Predictor 12 >>', before: pageTree }),
    'document',
  ],
  ['one whose string has no end', aPdf({ extra: '/A (' }), 'document'],
  [
    'one with a script in compressed objects',
    compressed('<< /Type /Pages /Count 1 /AA << >> >>'),
    'document_active',
  ],
])('%s is refused by its field', async (_, bytes, code) => {
  const { status, problem } = await upload('brochure', 'en', bytes)
  expect({ status, errors: problem.errors }).toEqual({
    status: 400,
    errors: [expect.objectContaining({ path: 'pdf', code })],
  })
})

test('stops reading at a stream that would expand to gigabytes', () => {
  const bomb = deflateSync(Buffer.alloc(80 * 1024 * 1024))
  const head = '%PDF-1.7\n5 0 obj\n<< /Type /ObjStm /Filter /FlateDecode >>\nstream\n'
  const bytes = Buffer.concat([Buffer.from(head), bomb, Buffer.from('\nendstream\nstartxref\n1\n%%EOF\n')])
  expect(readPdf(bytes)).toEqual({ kind: 'document' })
})

test('lists a new edition once published, and keeps older ones readable for editors', async () => {
  const bytes = aPdf({ pages: 3, mark: 'second edition' })
  const { body, status } = await upload('brochure', 'en', bytes)
  expect(status).toBe(201)
  const facts = {
    pages: 3,
    bytes: bytes.length,
    sha256: sha256(bytes),
    version: '2.1',
    file: 'brochure-en.pdf',
  }
  expect(body).toMatchObject({ sensitive: ['links'], value: { en: facts, cn: { version: '1.1' } } })
  const found = () => services.content.documents().find(({ file }) => file === 'brochure-en.pdf')
  expect(found()!.version).toBe('1.1')
  expect((await desk.publish(['documents/brochure'])).status).toBe(200)
  expect(found()).toMatchObject(facts)
  expect(services.content.documents()).toHaveLength(listed.length)
  const third = aPdf({ mark: 'third edition' })
  await upload('brochure', 'en', third)
  expect((await desk.publish(['documents/brochure'])).status).toBe(200)
  const read = await desk.call(api.openContentDocument, { params: { sha256: sha256(bytes) } })
  expect(read.headers['content-type']).toBe('application/pdf')
  expect(Buffer.from(read.body as Buffer)).toEqual(bytes)
  const versions = (await desk.call(api.listContentVersions, { query: { piece: 'documents/brochure' } })).body
  const { version } = await desk.read('documents/brochure')
  const restored = await desk.call(api.restoreContentVersion, {
    params: { id: versions[1]!.id },
    body: { version },
  })
  expect(restored.body.value).toMatchObject({ en: facts })
})

test('publishes a manual only together with its PDF', async () => {
  await upload('hardware-wallet', 'en', aPdf({ mark: 'manual' }))
  const entry = { ...manuals[0]!, id: 'hardware-wallet', fileTitle: 'hardware-wallet', hasChinese: false }
  await desk.save('facts/manuals.json', { '': [...manuals, entry] })
  const alone = await desk.publish(['facts/manuals.json'])
  expect(alone.problem.broken).toMatchObject([
    { file: 'facts/manuals.json', place: 'hardware-wallet.fileTitle', code: 'no_file' },
  ])
  const both = await desk.publish(['facts/manuals.json', 'documents/hardware-wallet'])
  expect(both.status).toBe(200)
  await upload('hardware-wallet', 'cn', aPdf({ mark: 'in Chinese' }))
  const unoffered = await desk.publish(['documents/hardware-wallet'])
  expect(unoffered.problem.broken).toMatchObject([{ code: 'never_offered' }])
})

test('an edition is withdrawn with its references, and returns from its version', async () => {
  const piece = 'documents/mining'
  const take = async (base: string) =>
    desk.call(api.withdrawContentDocument, {
      body: { base, language: 'cn', basedOn: (await desk.read(`documents/${base}`)).version },
    })
  const file = 'mining-cn.pdf'
  expect(findPublishedDocument(services, file)).toBeUndefined()
  const manual = manuals.find(({ fileTitle }) => fileTitle === 'mining')!
  const taken = await take('mining')
  expect(taken.body).toMatchObject({ hasDraft: true, sensitive: ['links'], value: { cn: null } })
  expect((await desk.publish([piece])).problem.broken).toMatchObject([
    { place: `${manual.id}.fileTitle`, code: 'no_file' },
  ])
  await desk.save('facts/manuals.json', {
    '': manuals.map((each) => (each === manual ? { ...each, hasChinese: false } : each)),
  })
  expect((await desk.publish([piece, 'facts/manuals.json'])).status).toBe(200)
  expect(services.content.documents().some((each) => each.file === file)).toBe(false)
  expect(findPublishedDocument(services, file)).toBeNull()
  // Undoing it before publishing leaves no trace.
  expect((await take('white-paper')).body.hasDraft).toBe(true)
  await desk.call(api.discardContentDraft, {
    body: { piece: 'documents/white-paper', version: (await desk.read('documents/white-paper')).version },
  })
  const { body: versions } = await desk.call(api.listContentVersions, { query: { piece } })
  const { version } = await desk.read(piece)
  const back = await desk.call(api.restoreContentVersion, {
    params: { id: versions.at(-1)!.id },
    body: { version },
  })
  expect(back.body.value).toMatchObject({ cn: { file } })
})

test('restoring a version from before a document removes it', async () => {
  const piece = 'documents/added-here'
  await upload('added-here', 'en', aPdf({ mark: 'added' }), 0)
  expect((await desk.publish([piece])).status).toBe(200)
  const listedNow = () => services.content.documents().some(({ base }) => base === 'added-here')
  expect(listedNow()).toBe(true)
  const { body: versions } = await desk.call(api.listContentVersions, { query: { piece } })
  const { version } = await desk.read(piece)
  await desk.call(api.restoreContentVersion, { params: { id: versions.at(-1)!.id }, body: { version } })
  expect((await desk.publish([piece])).status).toBe(200)
  expect(listedNow()).toBe(false)
})

test('only an upload creates a draft of a document', async () => {
  const { version } = await desk.read('documents/testnet')
  const entry = { ...listed[0]!, sha256: 'f'.repeat(64) }
  const forged = await desk.call(api.saveContentDraft, {
    body: { piece: 'documents/testnet', version, changes: { en: entry } },
  })
  expect(forged.problem.errors).toMatchObject([{ code: 'separately' }])
  const two = await Promise.all([
    upload('testnet', 'en', aPdf({ mark: 'a' }), version),
    upload('testnet', 'en', aPdf({ mark: 'b' }), version),
  ])
  expect(two.map(({ status }) => status).toSorted()).toEqual([201, 409])
})

test('scales a large photo, rejects other files, and lets an entry name it', async () => {
  const large = await aPicture('jpeg', { width: 3000, height: 2000 })
  const { body, status } = await desk.call(api.uploadContentPicture, { body: { picture: large } })
  expect(status).toBe(201)
  expect(body).toMatchObject({ width: 640, height: 427 })
  const { format } = await sharp(await services.files.get(storeKeyOf(body.photo))).metadata()
  expect(format).toBe('webp')
  const none = await desk.call(api.uploadContentPicture, {
    body: { picture: `data:image/png;base64,${Buffer.from('<svg>').toString('base64')}` },
  })
  expect(none.problem.errors).toMatchObject([{ path: 'picture', code: 'picture' }])
  const withPhoto = (photo: string) =>
    team.map((group, at) => ({
      ...group,
      members: group.members.map((each, n) => (at + n === 0 ? { ...each, photo } : each)),
    }))
  await desk.save('facts/team.json', { '': withPhoto('nobody.webp') })
  expect((await desk.publish(['facts/team.json'])).problem.broken).toMatchObject([{ code: 'no_file' }])
  await desk.put('facts/team.json', { '': withPhoto(body.photo) })
  const other = await desk.call(api.uploadContentPicture, { body: { picture: await aPicture() } })
  await sql`update content_file set used_at = used_at - interval '3 days'`.execute(services.db)
  await cleanUp(services)
  expect(await services.files.get(storeKeyOf(body.photo))).toBeDefined()
  expect(await services.files.get(storeKeyOf(other.body.photo))).toBeUndefined()
})
