import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { anEmail, goodPassword } from '#tests/builders.ts'
import { startMailServer, startSilentServer, type MailServer } from '#tests/setup/mail-server.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { transaction, type Tx } from '../db/database.ts'
import { listenToChanges } from '../db/changes.ts'
import { claimDueMail, insertMail } from './mail.queries.ts'
import { mail } from './mail.ts'
import { startMailWorker } from './mail-worker.ts'
import { openMail } from './encrypted-email.ts'
import { sendMail } from './send-mail.ts'

type Post = TestApi & { server: MailServer; worker: ReturnType<typeof startMailWorker> }

/** An API whose outbox is delivered to a real SMTP server. */
async function startPost(): Promise<Post> {
  const started = await startApi({
    MAIL_FROM: 'Coin <no-reply@coin.example>',
    PUBLIC_URL: 'https://coin.example',
  })
  const server = await startMailServer()
  const worker = startMailWorker(started.services, server.url)
  onTestFinished(async () => {
    await worker.stop()
    await server.close()
  })
  return { ...started, server, worker }
}

const write = ({ services }: TestApi, to: string, within?: Tx) => {
  const send = (db: Tx) =>
    sendMail(db, services.keys, { email: to, language: 'en' }, 'kyc-approved', {
      link: 'https://coin.example/kyc',
    })
  return within ? send(within) : transaction(services.db, send)
}

const rowOf = ({ services }: TestApi, to: string) =>
  services.db.selectFrom('mail').selectAll().where('to_address', '=', to).executeTakeFirstOrThrow()

/** Makes every email due, as if time had passed. */
const letTimePass = ({ services }: TestApi) =>
  services.db
    .updateTable('mail')
    .set({ next_try_at: sql<Date>`now()` })
    .execute()

async function insertRaw({ services }: TestApi, toAddress: string, message: object, sealed?: Buffer) {
  const id = randomUUID()
  const sealedMessage = sealed ?? services.keys.seal('mail', id, JSON.stringify(message))
  await insertMail(services.db, { id, toAddress, kind: 'activation', sealedMessage })
  return id
}

test('an email is delivered once, in both formats, and its text is erased afterwards', async () => {
  const post = await startPost()
  const to = anEmail()
  await post.call(api.createMember, { body: { email: to, password: goodPassword } })
  const before = await rowOf(post, to)
  const code = /code=(\S+)/.exec((await post.mailsTo(to))[0]!.text)![1]!
  expect(before.sealed_message!.includes(code)).toBe(false)

  post.worker.wake()
  await expect.poll(() => post.server.received.length).toBe(1)
  const [{ recipients, mail, raw }] = post.server.received as [MailServer['received'][0]]
  expect(recipients).toEqual([to])
  expect(mail).toMatchObject({
    from: { address: 'no-reply@coin.example', name: 'Coin' },
    to: [{ address: to }],
    messageId: `<${before.id}@coin.example>`,
  })
  expect(mail.text).toContain(code)
  expect(mail.html).toContain(code)
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  await expect.poll(async () => (await rowOf(post, to)).state).toBe('sent')
  expect(await rowOf(post, to)).toMatchObject({ sealed_message: null, last_error: null, attempts: 1 })
  post.worker.wake()
  await letTimePass(post)
  expect(post.server.received).toHaveLength(1)
})

test('each recipient gets their language', async () => {
  const post = await startPost()
  for (const language of ['en', 'zh-CN'])
    await post.call(
      api.createMember,
      { body: { email: `${language}@example.org`, password: goodPassword } },
      { headers: { 'accept-language': language } },
    )
  post.worker.wake()
  await expect.poll(() => post.server.received.length).toBe(2)
  for (const { recipients, mail } of post.server.received)
    for (const part of [mail.subject, mail.text, mail.html])
      expect([recipients[0], /\p{Script=Han}/u.test(part ?? '')]).toEqual([
        recipients[0],
        recipients[0]!.startsWith('zh'),
      ])
})

test('a temporary refusal is retried later, as the same email', async () => {
  const post = await startPost()
  const to = anEmail()
  post.server.refuseWith = () => 451
  await write(post, to)
  post.worker.wake()
  await expect.poll(async () => (await rowOf(post, to)).last_error).toBe('451')
  const waiting = await rowOf(post, to)
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 1 })
  expect(waiting.next_try_at.getTime()).toBeGreaterThan(Date.now())
  expect(waiting.sealed_message).not.toBeNull()

  post.server.refuseWith = () => undefined
  await letTimePass(post)
  post.worker.wake()
  await expect.poll(async () => (await rowOf(post, to)).state).toBe('sent')
  expect(post.server.received.map(({ mail }) => mail.messageId)).toEqual([`<${waiting.id}@coin.example>`])
})

test('after two days of temporary refusals an email has failed, and can be resent', async () => {
  const post = await startPost()
  const to = anEmail()
  post.server.refuseWith = () => 450
  // In one transaction, so that the worker can't claim the email before it is this old.
  await transaction(post.services.db, async (db) => {
    await write(post, to, db)
    await db.updateTable('mail').set({ attempts: 11 }).execute()
  })
  post.worker.wake()
  await expect.poll(async () => (await rowOf(post, to)).state).toBe('failed')
  const failed = await rowOf(post, to)
  expect(failed.last_error).toBe('450')
  expect(openMail(post.services.keys, { ...failed, sealed_message: failed.sealed_message! }).text).toContain(
    'https://coin.example/kyc',
  )
})

test('an expired code is not emailed anymore, and is erased', async () => {
  const post = await startPost()
  const to = anEmail()
  await post.call(api.createMember, { body: { email: to, password: goodPassword } })
  const longAgo = { created_at: sql<Date>`now() - interval '24 hours'` }
  await post.services.db.updateTable('mail').set(longAgo).execute()
  post.worker.wake()
  await expect.poll(async () => (await rowOf(post, to)).state).toBe('failed')
  expect(await rowOf(post, to)).toMatchObject({ sealed_message: null, last_error: 'code_expired' })
  expect(post.server.received).toEqual([])
})

test('the text of a failed or stopped email is erased when its code expires, and no sooner', async () => {
  const { services, call } = await startApi()
  const written = async (state: 'failed' | 'stopped' | 'waiting', age: string) => {
    const to = anEmail()
    await call(api.createMember, { body: { email: to, password: goodPassword } })
    await services.db
      .updateTable('mail')
      .set({ state, created_at: sql<Date>`now() - ${age}::interval` })
      .where('to_address', '=', to)
      .execute()
    return to
  }
  const old = [await written('failed', '25 hours'), await written('stopped', '25 hours')]
  const young = [await written('failed', '23 hours'), await written('waiting', '25 hours')]
  await mail.cleanUp.expiredCodesOfMails(services)
  const kept = await services.db
    .selectFrom('mail')
    .select('to_address')
    .where('sealed_message', 'is not', null)
    .execute()
  expect(kept.map((row) => row.to_address).toSorted()).toEqual(young.toSorted())
  expect(old).toHaveLength(2)
})

test('one undeliverable email does not block others', async () => {
  const post = await startPost()
  const poison = 'poison@example.org'
  for (let n = 0; n < 5; n += 1) await insertRaw(post, poison, {}, Buffer.from('not sealed by us'))
  const refused = anEmail()
  post.server.refuseWith = (recipient) => (recipient === refused ? 550 : undefined)
  await write(post, refused)
  const others = Array.from({ length: 6 }, anEmail)
  for (const to of others) await write(post, to)
  post.worker.wake()
  await expect
    .poll(() => post.server.received.flatMap(({ recipients }) => recipients).toSorted())
    .toEqual(others.toSorted())
  expect((await rowOf(post, poison)).state).toBe('waiting')
})

test(
  'a hanging mail server delays no request and no shutdown, and loses no email',
  { tags: ['nightly'] },
  async () => {
    const started = await startApi()
    const silent = await startSilentServer()
    onTestFinished(() => silent.close())
    const worker = startMailWorker(started.services, silent.url)
    const to = anEmail()
    await write(started, to)
    worker.wake()
    await expect.poll(async () => (await rowOf(started, to)).attempts).toBe(1)
    // The server is given up after ten seconds. Until that is recorded, nobody can have waited for it.
    const givenUp = () =>
      started.services.db.selectFrom('mail').select('id').where('last_error', 'is not', null).execute()
    expect((await started.call(api.requestPasswordReset, { body: { email: to } })).status).toBe(202)
    expect(await givenUp()).toEqual([])
    await worker.stop()
    expect(await givenUp()).toEqual([])
    expect(await rowOf(started, to)).toMatchObject({ state: 'waiting' })

    const server = await startMailServer()
    onTestFinished(() => server.close())
    await letTimePass(started)
    const next = startMailWorker(started.services, server.url)
    await expect.poll(() => server.received.length).toBe(1)
    await next.stop()
  },
)

test('an email claimed by a killed worker is due again after its lease, and not before', async () => {
  const post = await startPost()
  await post.worker.stop()
  const to = anEmail()
  await write(post, to)
  const claimed = await claimDueMail(post.services.db, 2 * MINUTE, 'coin.example')
  expect(claimed!.to_address).toBe(to)
  expect(await claimDueMail(post.services.db, 2 * MINUTE, 'coin.example')).toBeUndefined()

  await letTimePass(post)
  const next = startMailWorker(post.services, post.server.url)
  await expect.poll(() => post.server.received.length).toBe(1)
  await next.stop()
  expect(post.server.received[0]!.mail.messageId).toBe(`<${claimed!.id}@coin.example>`)
  expect(await rowOf(post, to)).toMatchObject({ state: 'sent', attempts: 2 })
})

test('two workers share thirty emails without duplicates', async () => {
  const post = await startPost()
  const second = startMailWorker(post.services, post.server.url)
  const addresses = Array.from({ length: 30 }, anEmail)
  for (const to of addresses) await write(post, to)
  post.worker.wake()
  second.wake()
  const received = () => post.server.received.flatMap(({ recipients }) => recipients)
  await expect.poll(() => received().length).toBeGreaterThanOrEqual(30)
  await second.stop()
  expect(received().toSorted()).toEqual(addresses.toSorted())
})

test('no text becomes a header or a recipient', async () => {
  const post = await startPost()
  const message = {
    subject: 'Hello\r\nBcc: evil@example.org\r\n\r\nbody',
    text: 'text\r\n.\r\nMAIL FROM:<evil@example.org>\r\n',
    html: '<p>x</p>',
  }
  for (const to of [
    'a@example.org, evil@example.org',
    'b@example.org\r\nRCPT TO:<evil@example.org>',
    'c@example.org\r\nBcc: evil@example.org',
    'd@example.org',
  ])
    await insertRaw(post, to, message)
  post.worker.wake()
  await expect
    .poll(() => post.server.received.some(({ recipients }) => recipients[0] === 'd@example.org'))
    .toBe(true)
  for (const { recipients, mail, raw } of post.server.received) {
    expect(recipients).toHaveLength(1)
    expect(recipients[0]).not.toMatch(/^evil@/)
    expect(mail.bcc ?? []).toEqual([])
    expect(raw).not.toMatch(/^bcc:/im)
  }
})

test('an email of a rolled-back transaction is never written, and a committed one wakes the workers', async () => {
  const started = await startApi()
  const { db, keys, config } = started.services
  const heard: string[] = []
  const changes = listenToChanges(config.databaseUrl!)
  changes.on((topic) => heard.push(topic))
  await expect.poll(() => heard).toContain('mail')
  heard.length = 0
  const reader = { email: anEmail(), language: 'en' } as const
  const write = (db: Tx) => sendMail(db, keys, reader, 'kyc-approved', { link: 'https://coin.example/kyc' })
  await expect(
    transaction(db, async (db) => {
      await write(db)
      throw new Error('taken back')
    }),
  ).rejects.toThrow('taken back')
  expect(await started.mailsTo(reader.email)).toEqual([])
  await transaction(db, write)
  await expect.poll(() => heard).toEqual(['mail'])
  await changes.close()
})
