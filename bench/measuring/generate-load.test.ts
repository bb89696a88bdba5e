import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { generateLoad, generators } from './generate-load.ts'

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const many = Array.from({ length: 60_000 }, (_, n) => ({
  method: 'POST',
  path: `/${n}`,
  headers: { 'x-number': String(n) },
  body: `{"text":"nº ${n}"}`,
}))

test.each(generators)('$name sends each request once and counts the responses', async (generator) => {
  const seen: string[] = []
  const url = await serve((request, response) => {
    let body = ''
    request.on('data', (bytes: Buffer) => (body += bytes.toString()))
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${String(request.headers['x-number'])} ${body}`)
      response.end('x'.repeat(70_000))
    })
  })
  const load = await generateLoad(url, many, { seconds: 1, generator })
  const sent = new Set(many.map(({ path, headers, body }) => `POST ${path} ${headers['x-number']} ${body}`))
  expect(seen.filter((each) => !sent.has(each))).toEqual([])
  expect(new Set(seen).size).toBe(seen.length)
  // At the end, one request on each connection may be under way.
  expect(seen.length - load.requests).toBeGreaterThanOrEqual(0)
  expect(seen.length - load.requests).toBeLessThanOrEqual(16)
  expect(load.requests).toBeGreaterThan(100)
  expect(load.seconds).toBeGreaterThan(0.9)
})

test.each(generators)('$name repeats a single request, but not a list', async (generator) => {
  const url = await serve((_, response) => response.end('{}'))
  const one = { path: '/' }
  expect((await generateLoad(url, [one], { seconds: 1, generator })).requests).toBeGreaterThan(100)
  const twenty = Array.from({ length: 20 }, () => one)
  await expect(generateLoad(url, twenty, { seconds: 1, generator })).rejects.toThrow('only 20 requests')
})

test.each(generators)('$name tolerates few refused requests, but not many', async (generator) => {
  let n = 0
  const refuseEach = (nth: number) =>
    serve((_, response) => response.writeHead((n += 1) % nth ? 200 : 503).end('{}'))
  const few = await generateLoad(await refuseEach(20), [{ path: '/' }], { seconds: 1, generator })
  expect(few.refused).toBeGreaterThan(0)
  expect(few.requests / few.refused).toBeCloseTo(19, 0)
  const many = generateLoad(await refuseEach(5), [{ path: '/' }], { seconds: 1, generator })
  await expect(many).rejects.toThrow(/refused/)
})
