import { createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import nodemailer from 'nodemailer'
import { afterAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { describeError } from '#api/platform/text/describe-error.ts'
import { openDatabase } from '#api/platform/db/database.ts'
import { answerFailures } from '#api/platform/http/failures.ts'
import { failureAnswerer } from '../../serve/error-responses.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { loggerOptions } from '#api/platform/operations/logger.ts'
import { sentence } from '#api/platform/text/sentence.ts'
import { makeProductLog } from '#tests/setup/product-log.ts'
import { sourcesIn, textOf } from './source-files.ts'

const started = await startApi({}, afterAll)
const mark = 'passport-K1234567@example.org'
let lines = ''
beforeEach(() => (lines = ''))

/** The product's logger, writing to `lines`. */
const logged = () =>
  Fastify({
    logger: { ...loggerOptions({ logLevel: 'debug' }), stream: { write: (line: string) => (lines += line) } },
  })

/** One real error of every layer that has seen the secret. */
const failures: Record<string, () => unknown> = {
  'a row that PostgreSQL refuses': () =>
    started.services.db
      .insertInto('member')
      .values([{ email: mark }, { email: mark }])
      .execute(),
  'a value that PostgreSQL cannot read': () =>
    started.services.db
      .selectFrom('member')
      .selectAll()
      .where('updated_at', '=', mark as never)
      .execute(),
  'a database address with a password': () =>
    openDatabase(`postgres://app:${mark}@127.0.0.1:1/x`, () => {})
      .selectFrom('member')
      .selectAll()
      .execute(),
  'JSON that is none': () => JSON.parse(`${mark} {`),
  'a value of another kind': () => z.object({ a: z.enum(['x']) }).parse({ a: mark, [mark]: mark }),
  'bytes that cannot be decrypted': () => {
    const decipher = createDecipheriv('aes-256-gcm', randomBytes(32), randomBytes(12))
    decipher.setAuthTag(randomBytes(16)).update(Buffer.from(mark))
    return decipher.final()
  },
  'sealed with another key': () =>
    started.services.keys.open('mail', mark, Buffer.from(`\u0001${mark}${mark}${mark}`)),
  'an address that is none': () => new URL(mark, 'no base'),
  'a file that is not there': () => readFileSync(`/nowhere/${mark}`),
  'a mail server that is not there': () =>
    nodemailer
      .createTransport({ host: '127.0.0.1', port: 1, auth: { user: mark, pass: mark } })
      .sendMail({ to: mark, text: mark }),
  'an error with everything in it': () => {
    const error = new Error(
      `${mark}\n    at ${mark} (${import.meta.filename}:1:1)\n    at /etc/${mark}:1:1`,
      {
        cause: Object.assign(new TypeError(mark), { detail: mark, bytes: Buffer.from(mark) }),
      },
    )
    throw Object.assign(error, {
      name: mark,
      code: mark,
      detail: mark,
      where: mark,
      input: { mark },
      stack: `${error.stack}\n${mark}`,
    })
  },
  'a message that was changed afterwards': () => {
    const error = new Error(`first ${mark}\n    at x (${import.meta.filename}:1:1)`)
    error.message = 'second'
    throw error
  },
  'no error at all': () => {
    // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- a library can throw anything
    throw { mark, message: mark }
  },
  'a text': () => {
    // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- a library can throw anything
    throw mark
  },
}

/** Checks for any form: unchanged, escaped, Base64, hexadecimal, or decimal bytes. */
function expectNoMark(text: string): void {
  for (const form of [
    mark,
    'K1234567',
    'example.org',
    Buffer.from(mark).toString('base64').slice(0, 20),
    Buffer.from(mark).toString('hex').slice(0, 20),
    [...Buffer.from(mark)].slice(0, 8).join(','),
  ])
    expect(text).not.toContain(form)
}

test.each(Object.keys(failures))(
  '%s leaves its class and our own lines in the log, and nothing of what it saw',
  async (name) => {
    const app = logged()
    answerFailures(app)
    app.get('/fails/:code', async () => failures[name]!())
    await app.register(async (site) => {
      site.setErrorHandler(failureAnswerer())
      site.get('/page/:code', async () => failures[name]!())
    })
    app.log.info('begun')
    for (const place of ['fails', 'page']) {
      const answer = await app.inject({
        url: `/${place}/${mark}?code=${mark}`,
        headers: { cookie: mark, 'x-access-token': mark },
      })
      expect(answer.statusCode).toBeGreaterThanOrEqual(500)
      expectNoMark(answer.body)
    }
    const error: unknown = await Promise.resolve()
      .then(failures[name])
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    app.log.error(error as Error)
    app.log.warn(
      { err: error, error, detail: mark, input: { mark }, name: mark, url: `/${mark}`, mail: mark },
      `about /x/${mark}`,
    )
    app.log.warn(error as Error, (error as Error | undefined)?.message)
    await app.close()
    expect(lines.split('\n').length).toBeGreaterThan(5)
    expectNoMark(lines)
  },
)

test('a bug is found by its class, its code and the lines of our own code', async () => {
  const error: unknown = await started.services.db
    .insertInto('member')
    .values([{ email: mark }, { email: mark }])
    .execute()
    .catch((error: unknown) => error)
  expect(describeError(error)).toMatchObject({ name: 'DatabaseError', code: '23514' })
  const own = describeError(new RangeError('x', { cause: new Error('y') }))
  expect(own.at[0]).toMatch(/^tests\/guards\/logs\.test\.ts:\d+:\d+$/)
  expect(own).toMatchObject({ name: 'RangeError', cause: { name: 'Error' } })
})

test('what the program says of itself is kept', () => {
  const app = logged()
  app.log.warn(
    { mail: '5f0c2f1e-9a', kind: 'activation', attempts: 2, code: 'ECONNREFUSED' },
    'an email was not delivered',
  )
  expect(JSON.parse(lines)).toMatchObject({
    mail: '5f0c2f1e-9a',
    kind: 'activation',
    attempts: 2,
    code: 'ECONNREFUSED',
    msg: 'an email was not delivered',
  })
})

/** Returns what the code passes to the log: field names and literal sentences. */
function passedToLog(): { file: string; fields: string[]; sentences: string[] }[] {
  const calls = /\blog\.(?:fatal|error|warn|info)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g
  return ['api', 'serve'].flatMap(sourcesIn).flatMap((file) =>
    [...textOf(file).matchAll(calls)].map(([, words = '']) => {
      const [, object = ''] = /^\s*\{([^]*?)\}\s*(?:,|$)/.exec(words) ?? []
      const rest = words.slice(object.length)
      return {
        file,
        fields: object
          .split(/,(?![^(]*\))/)
          .flatMap((field) => /^\s*(\w+)\s*(?::|$)/.exec(field)?.[1] ?? [])
          .filter((name) => name !== 'sentence'),
        sentences: [...rest.matchAll(/(?:^|,|\n)\s*'([^'\n]+)',?\s*$/g)].map((match) => match[1]!),
      }
    }),
  )
}

test('the log keeps every field and every sentence that our code gives it', () => {
  const passed = passedToLog()
  expect(passed.filter(({ sentences }) => sentences.length > 0).length).toBeGreaterThan(25)
  const lost = passed.flatMap(({ file, fields, sentences }) => {
    const given = Object.fromEntries(fields.map((name) => [name, 1]))
    return (sentences.length > 0 ? sentences : ['words']).flatMap((sentence) => {
      const { log, lines } = makeProductLog()
      log.warn(given, sentence)
      const { msg, ...kept } = lines[0]!
      const missing = fields.filter((name) => !(name in kept))
      return msg === sentence && missing.length === 0 ? [] : [{ file, sentence: msg, missing }]
    })
  })
  expect(lost).toEqual([])
})

test('a sentence of our own is kept whole, and a value of another form than its kind is withheld', () => {
  const { log, sentences } = makeProductLog()
  log.warn(
    sentence`The bucket at ${{ host: 's3.example:9000' }} said "${{ code: 'ECONNREFUSED' }}" ${2} times.`,
  )
  log.warn({ setting: 'PORT', sentence: sentence`Use ${{ setting: 'PORT' }} on ${{ host: '[::1]:80' }}.` })
  log.warn(sentence`${{ host: mark }} ${{ setting: mark }} ${{ code: mark }} ${{ host: `user:${mark}` }}`)
  expect(sentences()).toEqual([
    'The bucket at s3.example:9000 said "ECONNREFUSED" 2 times.',
    'Use PORT on [::1]:80.',
    '(withheld) (withheld) (withheld) (withheld)',
  ])
})

test('where the program listens is in the log', async () => {
  const { logger, sentences } = makeProductLog()
  const app = Fastify({ logger })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  app.log.info(`Server listening at http://127.0.0.1:80/${mark}`)
  await app.close()
  expect(sentences()[0]).toBe(`Server listening at ${address}`)
  expectNoMark(sentences().join())
})
