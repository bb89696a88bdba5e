import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { drive, makeAnswerReader, onWire, requireAnswered } from './drive.ts'

const answers = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 304 Not Modified\r\nEtag: "1"\r\nContent-Length: 40\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n1;x=y\r\ne\r\n0\r\nTrailer: 1\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 2\r\n\r\n{}',
]
const whole = Buffer.from(answers.join(''))

test.each([1, 2, 3, 7, 50, 1000])('answers end where they end, %i bytes at a time', (step) => {
  const statuses: number[] = []
  const read = makeAnswerReader((status) => statuses.push(status))
  for (let at = 0; at < whole.length; at += step) read(whole.subarray(at, at + step))
  expect(statuses).toEqual([200, 304, 200, 201, 429])
})

test('an answer that ends nowhere is refused', () => {
  const read = makeAnswerReader(() => {})
  expect(() => read(Buffer.from('HTTP/1.1 200 OK\r\nserver: x\r\n\r\n'))).toThrow(/without a length/)
})

test('every connection asks as soon as it was answered, and each answer is counted', async () => {
  const seen = new Set<string>()
  const server = createServer((request, answer) => {
    seen.add(String(request.headers['x-number']))
    request.resume()
    request.on('end', () => answer.writeHead(seen.size % 2 ? 200 : 404).end('x'.repeat(70_000)))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as { port: number }
  const url = new URL(`http://127.0.0.1:${port}`)
  let n = 0
  const next = () =>
    onWire(url, { method: 'POST', path: '/', headers: { 'x-number': String((n += 1)) }, body: '{}' })
  const driven = await drive(url, next, { seconds: 0.2 })
  server.close()
  expect(seen.size).toBe(n)
  expect(driven.requests).toBe(Math.ceil(n / 2))
  expect(driven.wrong).toEqual(new Map([[404, Math.floor(n / 2)]]))
  expect(() => requireAnswered(driven, 'it')).toThrow(/times 404/)
  expect(() => requireAnswered({ ...driven, wrong: new Map([[503, 1]]), requests: 10 }, 'it')).not.toThrow()
  expect(driven.bytes).toBeGreaterThan(70_000 * n)
})
