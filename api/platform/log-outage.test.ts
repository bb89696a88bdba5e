import { expect, onTestFinished, test, vi } from 'vitest'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { makeProductLog } from '#tests/setup/product-log.ts'
import Fastify, { LogController } from 'fastify'
import { answerFailures } from './http/failures.ts'
import { logOutage } from './log-outage.ts'
import { logRequests } from './operations/observe.ts'

test('logs the start and the end of an outage, however much fails in between', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { log, lines } = makeProductLog('info')
  const fail = (part: 'database' | 'mail') => {
    for (let n = 0; n < 1000; n += 1) logOutage(log, part, { code: 'ECONNREFUSED' })
  }
  fail('database')
  vi.advanceTimersByTime(50 * SECOND)
  fail('database')
  fail('mail')
  vi.advanceTimersByTime(2 * MINUTE)
  fail('mail')
  vi.advanceTimersByTime(2 * MINUTE)
  expect(lines.map(({ msg, count, code }) => [msg, count ?? code])).toEqual([
    ['the database is unavailable', 'ECONNREFUSED'],
    [expect.stringMatching(/^emails are queued .* SMTP_URL/), 'ECONNREFUSED'],
    ['the database has not failed for a minute', 2000],
    ['the mail server has not failed for a minute', 1000],
    [expect.stringMatching(/^emails are queued .* SMTP_URL/), 'ECONNREFUSED'],
    ['the mail server has not failed for a minute', 1000],
  ])
})

test('logs one line for requests that fail in an outage, and a separate one for a bug', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { logger, lines } = makeProductLog('info')
  const app = Fastify({ logger, logController: new LogController({ disableRequestLogging: true }) })
  app.decorate('content', { words: () => ({}) } as never)
  logRequests(app)
  answerFailures(app)
  app.get('/away', () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })))
  app.get('/bug', () => Promise.reject(new RangeError('a bug')))
  for (let n = 0; n < 50; n += 1) expect((await app.inject('/away')).statusCode).toBe(503)
  expect((await app.inject('/bug')).statusCode).toBe(500)
  vi.advanceTimersByTime(2 * MINUTE)
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the database is unavailable',
    'unexpected',
    'answered',
    'the database has not failed for a minute',
  ])
  await app.close()
})
