import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { serveContentFiles, type FindContentFile } from './content-files.ts'
import { respondNotFound } from './error-responses.ts'

async function aSite(find: FindContentFile = () => undefined) {
  const media = mkdtempSync(join(tmpdir(), 'media-'))
  for (const folder of ['pdfs', 'people']) mkdirSync(join(media, folder))
  writeFileSync(join(media, 'pdfs/paper-en.pdf'), 'of the files')
  writeFileSync(join(media, 'people/ada.webp'), 'ada')
  writeFileSync(join(media, 'secret.txt'), 'not served')
  const site = Fastify()
  site.setNotFoundHandler(respondNotFound)
  await serveContentFiles(site, media, find)
  onTestFinished(async () => {
    await site.close()
    rmSync(media, { recursive: true })
  })
  return site
}

const stored = (text: string) => ({
  etag: `"${text}"`,
  type: 'application/pdf',
  bytes: text.length,
  open: () => Promise.resolve(Readable.from([text])),
})

test('a PDF from the files is served until a version is published at the same address', async () => {
  let published: string | undefined
  const site = await aSite((folder) =>
    folder === 'pdfs' && published !== undefined ? stored(published) : undefined,
  )
  const url = '/assets/pdfs/paper-en.pdf'
  const first = await site.inject(url)
  expect(first).toMatchObject({ statusCode: 200, body: 'of the files' })
  // Clients must revalidate it each time.
  expect(first.headers['cache-control']).toBe('no-cache')
  const again = { url, headers: { 'if-none-match': String(first.headers['etag']) } }
  expect((await site.inject(again)).statusCode).toBe(304)
  published = 'second edition'
  const second = await site.inject(again)
  expect(second).toMatchObject({ statusCode: 200, body: 'second edition' })
  expect(second.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'application/pdf',
    'content-length': '14',
  })
  const known = { 'if-none-match': String(second.headers['etag']) }
  expect(await site.inject({ url, headers: known })).toMatchObject({ statusCode: 304, body: '' })
  expect(await site.inject({ method: 'HEAD', url })).toMatchObject({ statusCode: 200, body: '' })
})

test('does not serve a withdrawn PDF from the files', async () => {
  let found: null | undefined
  const site = await aSite(() => found)
  const url = '/assets/pdfs/paper-en.pdf'
  expect((await site.inject(url)).statusCode).toBe(200)
  found = null
  expect((await site.inject(url)).statusCode).toBe(404)
})

test('serves pictures of people from the files, or else from uploads', async () => {
  const site = await aSite((folder, file) =>
    folder === 'people' && file === 'new.webp' ? stored('new') : undefined,
  )
  expect((await site.inject('/assets/people/ada.webp')).body).toBe('ada')
  expect((await site.inject('/assets/people/new.webp')).body).toBe('new')
  expect((await site.inject('/assets/people/nobody.webp')).statusCode).toBe(404)
})

test('answers 404 for a file that the store has lost', async () => {
  const site = await aSite(() => ({ ...stored('x'), open: () => Promise.resolve(undefined) }))
  expect((await site.inject('/assets/pdfs/paper-en.pdf')).statusCode).toBe(404)
})

test.each(['..%2fsecret.txt', '%2e%2e%2fsecret.txt', '.%2e/secret.txt', '../secret.txt', ''])(
  'rejects a path that leaves the folder: %s',
  async (path) => {
    const site = await aSite()
    for (const folder of ['pdfs', 'people'])
      expect((await site.inject(`/assets/${folder}/${path}`)).body).not.toContain('not served')
  },
)
