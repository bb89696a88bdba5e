import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { anEmail } from '#tests/builders.ts'
import { aReader, anIp, choice, codeIn, rowOf, subscribe } from '#tests/newsletter.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo } = started
const { db } = started.services

const days = (n: number) => new Date(Date.now() - n * DAY)

test('gives the same response for any address, and emails no one twice', async () => {
  const [active, pending] = [await aReader(started), anEmail()]
  await db
    .updateTable('subscriber')
    .set({ mailed_at: days(2) })
    .where('email', '=', active.email)
    .execute()
  await subscribe(started, pending)
  const unknown = anEmail()
  const answers = [
    await subscribe(started, active.email),
    await subscribe(started, pending),
    await subscribe(started, unknown),
  ]
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  for (let i = 0; i < 6; i += 1)
    for (const email of [active.email, pending, unknown])
      expect((await subscribe(started, email)).status).toBe(202)
  const kinds = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind)
  expect(await kinds(pending)).toEqual(['newsletter-confirm'])
  expect(await kinds(unknown)).toEqual(['newsletter-confirm'])
  expect((await kinds(active.email)).slice(1)).toEqual(['newsletter-already'])
  // A stranger's request did not change the existing subscription.
  expect(await rowOf(started, active.email)).toMatchObject({ state: 'active', language: 'en' })
})

test('repeated requests by strangers cause at most four emails a day to an address', async () => {
  const email = anEmail()
  for (let i = 0; i < 6; i += 1) {
    await subscribe(started, email)
    await db
      .updateTable('subscriber')
      .set({ mailed_at: days(0.1) })
      .where('email', '=', email)
      .execute()
  }
  const mails = await mailsTo(email)
  expect(mails).toHaveLength(4)
  // Only the last email confirms; earlier ones no longer work.
  const answer = await call(api.confirmSubscription, { body: { code: codeIn(mails[0]!) } }, { ip: anIp() })
  expect(answer.problem.code).toBe('code_invalid')
  expect(
    (await call(api.confirmSubscription, { body: { code: codeIn(mails[3]!) } }, { ip: anIp() })).status,
  ).toBe(200)
})

test('strangers who use up an address’s day leave an email for other clients, and unsent ones do not count', async () => {
  const email = anEmail()
  const older = () =>
    db
      .updateTable('subscriber')
      .set({ mailed_at: days(0.1) })
      .where('email', '=', email)
      .execute()
  // Only one email is sent; the other requests find it on its way.
  for (let i = 0; i < 6; i += 1) await subscribe(started, email)
  expect(await mailsTo(email)).toHaveLength(1)
  const ip = anIp()
  const asked = () => call(api.subscribeToNews, { body: { email, ...choice() } }, { ip })
  for (let i = 0; i < 3; i += 1) {
    await older()
    await asked()
  }
  // One client can trigger two per hour.
  expect(await mailsTo(email)).toHaveLength(3)
  await older()
  await asked()
  expect(await mailsTo(email)).toHaveLength(3)
  await subscribe(started, email)
  expect(await mailsTo(email)).toHaveLength(4)
  await older()
  await subscribe(started, email)
  expect(await mailsTo(email)).toHaveLength(4)
})

test('limits the addresses that one client can type', async () => {
  const started = await startApi({ PROOF_OF_WORK: 'off' })
  const { call } = started
  const ip = anIp()
  const statuses: number[] = []
  for (let i = 0; i < 21; i += 1)
    statuses.push(
      (await call(api.subscribeToNews, { body: { email: anEmail(), ...choice() } }, { ip })).status,
    )
  expect(statuses.filter((status) => status === 202)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
})

test('two instances asked at once email an address once', async () => {
  const other = await startAnotherInstance(started)
  const email = anEmail()
  await Promise.all(
    [started, other, started, other].map((each) =>
      each.call(api.subscribeToNews, { body: { email, ...choice() } }, { ip: anIp() }),
    ),
  )
  expect(await mailsTo(email)).toHaveLength(1)
})

test('tags of an address add no emails to its mailbox', async () => {
  const name = `reader${Date.now()}`
  const addresses = Array.from({ length: 10 }, (_, n) => `${name}+${n}@example.org`)
  for (const email of addresses) await subscribe(started, email)
  const sent = await Promise.all(addresses.map(async (email) => (await mailsTo(email)).length))
  expect(sent.reduce((sum, each) => sum + each)).toBe(4)
})

test('a stranger’s repeated request does not change what the emailed link confirms', async () => {
  const email = anEmail()
  await subscribe(started, email, { categories: ['News'], rhythm: 'weekly', language: 'en' })
  const [mail] = await mailsTo(email)
  expect(mail!.text).toContain('News\nOnce a week\nEnglish')
  await subscribe(started, email, { categories: ['Events'], rhythm: 'each', language: 'cn' })
  expect(await mailsTo(email)).toHaveLength(1)
  const confirmed = await call(api.confirmSubscription, { body: { code: codeIn(mail!) } }, { ip: anIp() })
  expect(confirmed.body).toMatchObject({ categories: ['News'], rhythm: 'weekly', language: 'en' })
})

test('a later email says what its own link confirms, and invalidates the earlier link', async () => {
  const email = anEmail()
  await subscribe(started, email, { categories: ['News'] })
  await db
    .updateTable('subscriber')
    .set({ mailed_at: days(0.1) })
    .where('email', '=', email)
    .execute()
  await subscribe(started, email, { categories: ['Events', 'Partnerships'], language: 'cn' })
  const [first, second] = await mailsTo(email)
  expect(second!.text).toContain('活动、合作')
  const confirm = (mail: typeof first) =>
    call(api.confirmSubscription, { body: { code: codeIn(mail!) } }, { ip: anIp() })
  expect((await confirm(first)).problem.code).toBe('code_invalid')
  expect((await confirm(second)).body).toMatchObject({
    categories: ['Events', 'Partnerships'],
    language: 'cn',
  })
})
