import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { Refused } from '../refused.ts'
import { pacedBody } from './receive-uploads.ts'

afterEach(() => void vi.useRealTimers())

const pace = { bytes: 100, within: 1000 }

function read(body: PassThrough) {
  const paced = pacedBody(body, pace)
  let bytes = 0
  const whole = (async () => {
    for await (const piece of paced.pieces) bytes += piece.length
    return bytes
  })()
  whole.catch(() => {})
  return { whole, end: paced.end }
}

function useTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  return (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
}

test('a body may arrive slowly, and may pause for a while', async () => {
  const pass = useTime()
  const body = new PassThrough()
  const { whole } = read(body)
  for (let n = 0; n < 20; n += 1) {
    body.write(Buffer.alloc(60))
    await pass(500)
  }
  body.write(Buffer.alloc(100))
  await pass(990)
  body.end(Buffer.alloc(100))
  expect(await whole).toBe(1400)
})

test.each([0, 5])('ends one that arrives too slowly (%i bytes at a time)', async (bytes) => {
  const pass = useTime()
  const body = new PassThrough()
  const { whole } = read(body)
  for (let n = 0; n < 11; n += 1) {
    if (bytes > 0) body.write(Buffer.alloc(bytes))
    await pass(100)
  }
  await expect(whole).rejects.toMatchObject({ code: 'too_slow' })
  body.end(Buffer.alloc(1_000_000))
  await expect.poll(() => body.readableEnded).toBe(true)
})

test('our own processing time does not count against the sender', async () => {
  const pass = useTime()
  const body = new PassThrough()
  const { pieces } = pacedBody(body, pace)
  const iterator = pieces[Symbol.asyncIterator]()
  for (let n = 0; n < 5; n += 1) {
    body.write(Buffer.alloc(1))
    await iterator.next()
    await pass(5000)
  }
  body.end()
  expect(await iterator.next()).toEqual({ done: true, value: undefined })
})

test('can be ended while waiting, and in between', async () => {
  const refused = new Refused('unavailable')
  const waiting = read(new PassThrough())
  waiting.end(refused)
  await expect(waiting.whole).rejects.toBe(refused)

  const body = new PassThrough()
  body.write('x')
  const { pieces, end } = pacedBody(body, pace)
  const iterator = pieces[Symbol.asyncIterator]()
  await iterator.next()
  end(refused)
  await expect(iterator.next()).rejects.toBe(refused)
})

test('a stopped reader and an aborted body leave nothing open', async () => {
  const body = new PassThrough()
  body.write('x')
  for await (const piece of pacedBody(body).pieces) if (piece.length > 0) break
  body.end(Buffer.alloc(1_000_000))
  await expect.poll(() => body.readableEnded).toBe(true)

  const broken = new PassThrough()
  const { whole } = read(broken)
  broken.destroy(new Error('aborted'))
  await expect(whole).rejects.toThrow('aborted')
})
