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

test('each client gets the smallest form it takes', async () => {
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

test('the very first answer is compressed, and what is asked for again and again is smaller still', async () => {
  const words = Array.from({ length: 3000 }, (_, n) => `line ${n * 7919}`).join(' ')
  const body = makeCachedBody('text/plain', words)
  const first = await ask(body, { 'accept-encoding': 'br' })
  expect(first.headers['content-encoding']).toBe('br')
  const later = () => ask(body, { 'accept-encoding': 'br' })
  await expect.poll(async () => (await later()).rawPayload.length).toBeLessThan(first.rawPayload.length)
  expect(brotliDecompressSync((await later()).rawPayload).toString()).toBe(words)
})

test('what most ask for once is compressed for the second who asks', async () => {
  const body = makeCachedBody('text/plain', text, { isCompressedLater: true })
  const encodings = []
  for (let n = 0; n < 2; n += 1)
    encodings.push((await ask(body, { 'accept-encoding': 'br' })).headers['content-encoding'])
  expect(encodings).toEqual([undefined, 'br'])
})

test('whoever has it already gets 304 without a body', async () => {
  const body = makeCachedBody('text/plain', text)
  const again = await ask(body, { 'if-none-match': `"other", ${body.etag}` })
  expect(again.statusCode).toBe(304)
  expect(again.body).toBe('')
  expect(again.headers.etag).toBe(body.etag)
  expect((await ask(body, { 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test('other content has another tag', () => {
  expect(makeCachedBody('text/plain', 'a').etag).not.toBe(makeCachedBody('text/plain', 'b').etag)
})
