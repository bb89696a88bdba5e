import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { reminderWaitMinutes } from '#contract/money/public-sale.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aSale, aSignedInMember, anEmail, anOrder } from '#tests/builders.ts'
import { aRound, inTime, passInRounds } from '#tests/rounds.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { followSale } from './public-sale-worker.ts'

/** Inserts a confirmed reminder, as if a visitor had asked for it now. */
async function aReminder({ services: { db } }: TestApi): Promise<string> {
  const row = { email: anEmail(), language: 'en' as const, confirmed_at: new Date() }
  await db.insertInto('sale_reminder').values(row).execute()
  return row.email
}

/** Lets the time pass after which reminders are sent, and sends them. */
async function wait({ services }: TestApi): Promise<void> {
  await services.db
    .updateTable('sale_shown')
    .set({ open_since: sql<Date>`open_since - ${reminderWaitMinutes} * interval '1 minute'` })
    .execute()
  await followSale(services)
  await services.db.updateTable('mail').set({ state: 'sent' }).execute()
  await followSale(services)
}

const countMails = async (started: TestApi, ...emails: string[]) =>
  Promise.all(emails.map(async (email) => (await started.mailsTo(email)).length))

const rounds = () => [
  aRound({ opensAt: inTime(-HOUR), closesAt: inTime(HOUR), cap: '1000' }),
  aRound({ opensAt: inTime(2 * HOUR), closesAt: inTime(3 * HOUR) }),
]

test('reminders wait for the next round during a break, and are sent once when it opens', async () => {
  const started = await startApi()
  const { services } = started
  await aSale(started, { rounds: rounds() })
  await followSale(services)
  const early = await aReminder(started)
  await wait(started)
  expect(await countMails(started, early)).toEqual([1])
  await passInRounds(started, 1.5 * HOUR)
  await followSale(services)
  const [late, again] = [await aReminder(started), early]
  await services.db
    .insertInto('sale_reminder')
    .values({ email: again, language: 'en', confirmed_at: new Date() })
    .execute()
  await wait(started)
  expect(await countMails(started, late, again)).toEqual([0, 1])
  await passInRounds(started, HOUR)
  await followSale(services)
  // The opening can still be undone.
  expect(await countMails(started, late, again)).toEqual([0, 1])
  await wait(started)
  expect(await countMails(started, late, again)).toEqual([1, 2])
  for (let n = 0; n < 3; n += 1) await wait(started)
  expect(await countMails(started, late, again)).toEqual([1, 2])
  await passInRounds(started, HOUR)
  for (let n = 0; n < 2; n += 1) await wait(started)
  expect(await countMails(started, late, again)).toEqual([1, 2])
})

test.each([
  ['is sold out', false],
  ['was sold out before', true],
])('a round that follows directly one that %s counts as an opening', async (_, isCanceled) => {
  const started = await startApi()
  const { services } = started
  const { db } = services
  const [first, next] = [
    aRound({ closesAt: inTime(HOUR), cap: '1000' }),
    aRound({ opensAt: inTime(HOUR), closesAt: inTime(2 * HOUR) }),
  ]
  await aSale(started, { rounds: [first, next] })
  await followSale(services)
  await wait(started)
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '1000', roundId: first.id })
  await followSale(services)
  const email = await aReminder(started)
  if (isCanceled) {
    await db.updateTable('token_order').set({ status: 'cancelled' }).where('id', '=', id).execute()
    await followSale(services)
  }
  const { state } = await db.selectFrom('sale_shown').select('state').executeTakeFirstOrThrow()
  expect(state).toBe(isCanceled ? 'open' : 'soldOut')
  await wait(started)
  expect(await countMails(started, email)).toEqual([0])
  await passInRounds(started, HOUR)
  await followSale(services)
  expect(await countMails(started, email)).toEqual([0])
  for (let n = 0; n < 2; n += 1) await wait(started)
  expect(await countMails(started, email)).toEqual([1])
})
