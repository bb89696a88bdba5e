import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { aReader, choice, rowOf } from '#tests/newsletter.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { mailNews } from './queue-issues.ts'

const started = await startApi({ NEWSLETTER_PER_MINUTE: '60000' }, afterAll)
const { services } = started
const { db } = services
const { create, call: edit } = await aNewsroom(started)

async function mailAll(): Promise<void> {
  await db
    .updateTable('newsletter_pace')
    .set({ fed_at: new Date(Date.now() - DAY) })
    .execute()
  await mailNews(services)
}

type Said = { error: string; enhanced?: string; step?: string }

/** Records what the reader's server said about their waiting newsletters some time ago. */
const refuse = (email: string, { error, ...said }: Said, ago: number) =>
  db
    .updateTable('mail')
    .set({
      state: 'failed',
      attempts: 1,
      last_error: error,
      tries: JSON.stringify([{ ...said, error }]),
      changed_at: new Date(Date.now() - ago),
    })
    .where('to_address', '=', email)
    .where('kind', '=', 'news-post')
    .where('state', '=', 'waiting')
    .execute()

test('a rejection with a reason removes no reader, and one without does on another day', async () => {
  const said: Record<string, [first: Said, second: Said, state: 'active' | 'ended']> = {
    blocked: [
      { error: '550', enhanced: '5.7.1', step: 'RCPT TO' },
      { error: '550', enhanced: '5.7.1', step: 'RCPT TO' },
      'active',
    ],
    full: [{ error: '550', enhanced: '5.2.2', step: 'RCPT TO' }, { error: '550', step: 'RCPT TO' }, 'active'],
    'not the recipient': [{ error: '550', step: 'DATA' }, { error: '550', step: 'RCPT TO' }, 'active'],
    'blocked later': [
      { error: '550', step: 'RCPT TO' },
      { error: '550', enhanced: '5.7.1', step: 'RCPT TO' },
      'active',
    ],
    'no reason': [
      { error: '550', step: 'RCPT TO' },
      { error: '550', enhanced: '5.0.0', step: 'RCPT TO' },
      'ended',
    ],
  }
  const readers = await Promise.all(
    Object.entries(said).map(async ([why, each]) => ({ why, each, ...(await aReader(started)) })),
  )
  await create({ title: 'Refused first', category: 'News' })
  await mailAll()
  for (const { email, each } of readers) await refuse(email, each[0], DAY + HOUR)
  await create({ title: 'Refused again', category: 'News' })
  await mailAll()
  for (const { email, each } of readers) await refuse(email, each[1], 0)
  await mailAll()
  const states = await Promise.all(
    readers.map(async ({ why, email }) => [why, (await rowOf(started, email))!.state]),
  )
  expect(states).toEqual(readers.map(({ why, each }) => [why, each[2]]))
})

test('stops and counts waiting emails if the account’s next address has its own subscription', async () => {
  const member = await aSignedInMember(started)
  const proved = (email: string) =>
    db
      .updateTable('member')
      .set({ address_proved_at: new Date(), email })
      .where('id', '=', member.id)
      .execute()
  await proved(member.email)
  await started.call(api.saveOwnSubscription, { body: choice() }, { token: member.token })
  const post = await create({ title: 'To the address before', category: 'News' })
  await mailAll()
  const own = await aReader(started)
  await proved(own.email)
  await cleanUp(services)
  expect(await rowOf(started, member.email)).toBeUndefined()
  const mail = await db
    .selectFrom('mail')
    .select(['state', 'sealed_message'])
    .where('to_address', '=', member.email)
    .where('kind', '=', 'news-post')
    .execute()
  expect(mail).toEqual([{ state: 'stopped', sealed_message: null }])
  const shown = await edit(api.readPostMail, { params: { id: post._id } })
  expect(shown.body.progress).toMatchObject({ stopped: 1 })
})

test('counts follow bounces, and emails stopped and resent by staff', async () => {
  const readers = await Promise.all([1, 2, 3, 4].map(() => aReader(started, { language: 'cn' })))
  const post = await create({ title: 'Counted', category: 'News', language: 'cn' })
  await mailAll()
  const set = (state: 'sent' | 'failed' | 'stopped' | 'waiting', ...at: number[]) =>
    db
      .updateTable('mail')
      .set({ state })
      .where('kind', '=', 'news-post')
      .where(
        'to_address',
        'in',
        at.map((n) => readers[n]!.email),
      )
      .execute()
  const figures = async () => {
    await mailAll()
    const { queued, sent, failed, stopped } = (await edit(api.readPostMail, { params: { id: post._id } }))
      .body.progress!
    return { queued, sent, failed, stopped }
  }
  await set('sent', 0)
  await set('failed', 1, 2)
  await set('stopped', 3)
  expect(await figures()).toEqual({ queued: 4, sent: 1, failed: 2, stopped: 1 })
  await set('failed', 0)
  // Between two runs, one may be resent and accepted, and another be in transit.
  await set('sent', 1)
  await set('waiting', 2, 3)
  expect(await figures()).toEqual({ queued: 4, sent: 1, failed: 1, stopped: 0 })
  await set('sent', 2, 3)
  expect(await figures()).toEqual({ queued: 4, sent: 3, failed: 1, stopped: 0 })
})
