import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import whitePaper from '#content/facts/white-paper.json' with { type: 'json' }
import { contentFolder } from '#api/platform/site-content/content-folder.ts'
import { asPdfUrl, aPdf } from '#tests/a-pdf.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const desk = await aContentDesk(started)

async function upload(base: string, language: 'en' | 'cn', bytes: Buffer) {
  const pieces = (await desk.call(api.listContentItems, {})).body
  const basedOn = pieces.find(({ piece }) => piece === `documents/${base}`)?.version ?? 0
  const pdf = asPdfUrl(bytes)
  return desk.call(api.uploadContentDocument, {
    body: { base, language, title: 'A title', version: '2.1', basedOn, pdf },
  })
}

test('a published white paper version never changes: other bytes need a new name', async () => {
  const shipped = readFileSync(join(contentFolder, 'media/pdfs/white-paper-en.pdf'))
  const refused = await upload('white-paper', 'en', aPdf({ mark: 'changed' }))
  expect([refused.status, refused.problem.errors]).toMatchObject([
    400,
    [{ path: 'pdf', code: 'document_stays' }],
  ])
  expect((await upload('white-paper', 'en', shipped)).status).toBe(201)
  const newName = 'white-paper-2'
  expect((await upload(newName, 'en', aPdf({ mark: 'second' }))).status).toBe(201)
  expect((await desk.publish([`documents/${newName}`])).status).toBe(200)
  // Until a version names it, it is an ordinary document.
  expect((await upload(newName, 'en', aPdf({ mark: 'third' }))).status).toBe(201)
  expect((await desk.publish([`documents/${newName}`])).status).toBe(200)
  const [one] = whitePaper.versions
  const second = { ...one!, id: 'v2-0', version: '2.0', date: '2026-11-21', document: newName }
  await desk.put('facts/white-paper.json', { '': { ...whitePaper, versions: [second, one] } })
  expect((await upload(newName, 'en', aPdf({ mark: 'fourth' }))).problem.errors).toMatchObject([
    { code: 'document_stays' },
  ])
  // The edition in the other language is not there yet.
  expect((await upload(newName, 'cn', aPdf({ mark: 'in Chinese' }))).status).toBe(201)
})
