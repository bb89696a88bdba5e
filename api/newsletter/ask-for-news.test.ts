import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/durations.ts'
import { anEmail } from '#tests/builders.ts'
import { aReader, anIp, choice, codeIn, rowOf, subscribe } from '#tests/newsletter.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo } = started
const { db } = started.services

const days = (n: number) => new Date(Date.now() - n * DAY)

test('one who asks is answered alike whatever is known of the address, and mails nobody twice', async () => {
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
  // Nothing of what gets news already was changed by a stranger.
  expect(await rowOf(started, active.email)).toMatchObject({ state: 'active', language: 'en' })
})

test('strangers who ask again and again after an hour mail an address four times a day', async () => {
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
  // The last mail confirms; those before it nothing any more.
  const answer = await call(api.confirmSubscription, { body: { code: codeIn(mails[0]!) } }, { ip: anIp() })
  expect(answer.problem.code).toBe('code_invalid')
  expect(
    (await call(api.confirmSubscription, { body: { code: codeIn(mails[3]!) } }, { ip: anIp() })).status,
  ).toBe(200)
})

test('strangers who fill the day of an address leave a mail to whoever asks from elsewhere, and what mails nobody counts for nothing', async () => {
  const email = anEmail()
  const older = () =>
    db
      .updateTable('subscriber')
      .set({ mailed_at: days(0.1) })
      .where('email', '=', email)
      .execute()
  // One mail; the others find it on its way.
  for (let i = 0; i < 6; i += 1) await subscribe(started, email)
  expect(await mailsTo(email)).toHaveLength(1)
  const ip = anIp()
  const asked = () => call(api.subscribeToNews, { body: { email, ...choice() } }, { ip })
  for (let i = 0; i < 3; i += 1) {
    await older()
    await asked()
  }
  // Twice an hour by one client.
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

test('one client types few addresses', async () => {
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

test('two instances that are asked at once for an address mail it once', async () => {
  const other = await startAnotherInstance(started)
  const email = anEmail()
  await Promise.all(
    [started, other, started, other].map((each) =>
      each.call(api.subscribeToNews, { body: { email, ...choice() } }, { ip: anIp() }),
    ),
  )
  expect(await mailsTo(email)).toHaveLength(1)
})
