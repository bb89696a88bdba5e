import { afterAll, expect, test } from 'vitest'
import { DAY, HOUR } from '#contract/durations.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { aReader, rowOf } from '#tests/newsletter.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { mailNews } from './feed-issues.ts'

const started = await startApi({ NEWSLETTER_PER_MINUTE: '60000' }, afterAll)
const { services } = started
const { db } = services
const { create } = await aNewsroom(started)

async function mailAll(): Promise<void> {
  await db
    .updateTable('newsletter_pace')
    .set({ fed_at: new Date(Date.now() - DAY) })
    .execute()
  await mailNews(services)
}

type Said = { error: string; enhanced?: string; step?: string }

/** What the server of the reader said to the news that wait for them, so long ago. */
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

test('a refusal that gives a reason takes no reader out however often it comes, and one without does on another day', async () => {
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
