import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { compress, makeCachedBody, sendCached, type CachedBody } from './cached-body.ts'

const text = 'woven lines '.repeat(100)

function serverOf(body: CachedBody) {
  const app = Fastify()
  app.get('/', (request, reply) => sendCached(request, reply, body))
  return app
}

const ask = (body: CachedBody, headers: Record<string, string> = {}) =>
  serverOf(body).inject({ method: 'GET', url: '/', headers })

test('each client gets the smallest encoding it accepts', async () => {
  const body = makeCachedBody('text/plain', text)
  await compress(body)
  const brotli = await ask(body, { 'accept-encoding': 'gzip, deflate, br' })
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(text)
  const gzip = await ask(body, { 'accept-encoding': 'gzip, br;q=0' })
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(text)
  const identity = await ask(body)
  expect(identity.headers['content-encoding']).toBeUndefined()
  expect(identity.body).toBe(text)
})

test('the first response is compressed, and repeated requests get a smaller form', async () => {
  const words = Array.from({ length: 3000 }, (_, n) => `line ${n * 7919}`).join(' ')
  const body = makeCachedBody('text/plain', words)
  const first = await ask(body, { 'accept-encoding': 'br' })
  expect(first.headers['content-encoding']).toBe('br')
  const later = () => ask(body, { 'accept-encoding': 'br' })
  await expect.poll(async () => (await later()).rawPayload.length).toBeLessThan(first.rawPayload.length)
  expect(brotliDecompressSync((await later()).rawPayload).toString()).toBe(words)
})

test('content that is rarely repeated is compressed only for its second request', async () => {
  const body = makeCachedBody('text/plain', text, { isCompressedLater: true })
  const encodings = []
  for (let n = 0; n < 2; n += 1)
    encodings.push((await ask(body, { 'accept-encoding': 'br' })).headers['content-encoding'])
  expect(encodings).toEqual([undefined, 'br'])
})

test('a client that already has the body gets 304 without a body', async () => {
  const body = makeCachedBody('text/plain', text)
  const again = await ask(body, { 'if-none-match': `"other", ${body.etag}` })
  expect(again.statusCode).toBe(304)
  expect(again.body).toBe('')
  expect(again.headers.etag).toBe(body.etag)
  expect((await ask(body, { 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test('different content has a different ETag', () => {
  expect(makeCachedBody('text/plain', 'a').etag).not.toBe(makeCachedBody('text/plain', 'b').etag)
})
