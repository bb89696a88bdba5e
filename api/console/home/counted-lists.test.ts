import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { attentionItems, type AttentionItem } from '#contract/console/console-home.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { insertWithdrawnAddress } from '#api/money/sale/withdrawn-address.queries.ts'
import { saveChainPayment } from '#api/money/chains/chain-payment.queries.ts'
import { seedDemo } from '#demo/seed-demo.ts'
import { aMention, aNote, anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { storeTransfer } from '#tests/payouts.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { insertDueErasure } from '#tests/erasures.ts'
import { aWithdrawalRow, letRefundBeDue } from '#tests/withdrawals.ts'
import '#web/kernel/routes/console-pages.ts'
import { waitingPlaces } from '#web/console/home/waiting-places.ts'

type Lists = Readonly<Record<string, (search: URLSearchParams) => Promise<{ status: number; body: unknown }>>>

/** Sends the same request as the page at each address. */
function listsFor({ call }: TestApi, { id, token }: TestMember): Lists {
  const as = { token }
  const given = (search: URLSearchParams) => ({ ...Object.fromEntries(search), limit: 100 })
  return {
    '/console/identity': (search) => {
      const query = { status: 'waiting' as const, ...given(search) }
      return call(api.listKycCases, { query }, as)
    },
    '/console/mentions': (search) => call(api.listMentions, { query: given(search) }, as),
    '/console/orders': (search) => call(api.listConsoleOrders, { query: given(search) }, as),
    '/console/orders/import': () => call(api.listStatementLines, { query: { limit: 100 } }, as),
    '/console/deliveries': (search) => call(api.listDeliveries, { query: given(search) }, as),
    '/console/payouts': (search) => call(api.listPayouts, { query: given(search) }, as),
    '/console/payouts#transfers': async () => {
      const { status, body } = await call(api.listPayoutTransfers, {}, as)
      return { status, body: body.transfers }
    },
    '/console/withdrawals': (search) => call(api.listConsoleWithdrawals, { query: given(search) }, as),
    '/console/messages': (search) => call(api.listConsoleConversations, { query: given(search) }, as),
    '/console/members': (search) => call(api.listConsoleMembers, { query: given(search) }, as),
    '/console/lost-factors': (search) =>
      call(api.listRecoveryRequests, { query: Object.fromEntries(search) }, as),
    '/console/ambassadors': (search) => call(api.listAmbassadorApplications, { query: given(search) }, as),
    '/console/ambassadors/profiles': (search) =>
      call(api.listConsoleAmbassadors, { query: given(search) }, as),
    '/console/mails': (search) => call(api.listMails, { query: given(search) }, as),
    '/console/content': (search) => call(api.listContentReleases, { query: given(search) }, as),
    '/console/newsroom': (search) => call(api.listNewsroomPosts, { query: given(search) }, as),
    // The page shows at most one proposal, and marks the reader's own as such.
    '/console/sale': async () => {
      const { status, body } = await call(api.getSaleSettings, {}, as)
      const { proposal } = body
      return { status, body: proposal && proposal.by.id !== id ? [proposal] : [] }
    },
  }
}

/** Creates one item of each kind that awaits the reader, one of their own, and one that they proposed. */
async function fill(started: TestApi, reader: TestMember, other: TestMember): Promise<void> {
  const { db } = started.services
  const { id: buyer } = await aSignedInMember(started)
  const proposed = (by: string) => ({ completion_proposed_by: by, completion_proposed_at: new Date() })
  const waits = [
    { txId: 'given below' },
    { disputed: true },
    { status: 'cancelled', reportedLate: true },
    {},
  ] as const
  for (const change of waits)
    for (const [owner, by] of [
      [buyer, null],
      [buyer, reader.id],
      [buyer, other.id],
      [reader.id, null],
    ] as const) {
      const { id } = await anOrder(
        started,
        owner,
        'txId' in change ? { txId: randomBytes(32).toString('hex') } : change,
      )
      if (by) await db.updateTable('token_order').set(proposed(by)).where('id', '=', id).execute()
      await saveChainPayment(db, id, {
        coin: 'BTC',
        state: 'paid',
        received: '0.5',
        isGone: true,
        cameElsewhere: true,
      })
      const withdrawal = await aWithdrawalRow(
        started,
        (await anOrder(started, owner, { status: 'completed' })).id,
      )
      if (by)
        await db
          .updateTable('order_withdrawal')
          .set({ proposed_by: by, proposed_at: new Date(), proposal: '{}' })
          .where('id', '=', withdrawal.id)
          .execute()
      await letRefundBeDue(started, withdrawal.order_id)
    }
  await aMention(started, await aNote(started, other.id, { kind: 'member', id: buyer }), reader.id)
  const { id: assigned } = await anOrder(started, buyer)
  await db.updateTable('token_order').set({ assignee_id: reader.id }).where('id', '=', assigned).execute()
  await placeAtRevertedAddress(started, buyer)
  const cases = await db
    .selectFrom('kyc_application')
    .select('id')
    .where('status', '=', 'submitted')
    .orderBy('assignee_id', (order) => order.desc().nullsFirst())
    .limit(3)
    .execute()
  expect(cases).toHaveLength(3)
  await db
    .updateTable('kyc_application')
    .set({ assignee_id: reader.id, assigned_at: new Date(), round: 2 })
    .where('id', '=', cases[2]!.id)
    .execute()
  for (const [index, by] of [reader.id, other.id].entries())
    await db
      .updateTable('kyc_application')
      .set({ final_proposed_by: by, final_proposed_at: new Date() })
      .where('id', '=', cases[index]!.id)
      .execute()
  for (const [member, by] of [
    [reader.id, null],
    [(await aSignedInMember(started)).id, reader.id],
  ] as const)
    await db
      .insertInto('lost_factor')
      .values({ member_id: member, ...(by && { state: 'opened', opened_by: by, opened_at: new Date() }) })
      .execute()
  for (const by of [reader.id, other.id])
    await insertDueErasure(started, (await aSignedInMember(started)).id, by)
  for (const by of [reader.id, other.id])
    await db
      .insertInto('content_release')
      .values({ proposed_by: by, state: 'proposed', pieces: '[]', changes: '[]', sensitive: '{}' } as never)
      .execute()
  await db
    .insertInto('sale_proposal')
    .values({ proposed_by: reader.id, settings: '{}', changes: '[]' })
    .execute()
  for (const days of [-1, 3]) {
    await db
      .insertInto('announcement')
      .values({
        slug: `due-in-${days}-days`,
        title: 'A new release',
        category: 'News',
        language: 'en',
        content: '',
        content_summary: '',
        state: 'scheduled',
        publish_at: sql<Date>`now() + ${days} * interval '1 day'`,
        publish_zone: 'UTC',
      })
      .execute()
  }
}

async function placeAtRevertedAddress(started: TestApi, buyer: string): Promise<void> {
  const { db } = started.services
  const { id } = await anOrder(started, buyer)
  await db.updateTable('token_order').set({ receiving_address: 'wrong' }).where('id', '=', id).execute()
  const [from, until] = [-1, 1].map((hours) => new Date(Date.now() + hours * HOUR))
  await insertWithdrawnAddress(db, { address: 'wrong', from: from!, until: until! })
}

test('each number on the home page is the length of the list that its link opens, for each role', async () => {
  const started = await startApi({ CHAIN_BTC_URL: 'http://127.0.0.1:9' })
  Object.assign(started.services.config, { isDemo: true, hasDemoWorld: true })
  await seedDemo(started.services)
  const rights = [
    { manage_finance: 2 },
    { manage_employee: 2 },
    { manage_news: 2 },
    { manage_coins: 2 },
    { is_write_access_admin: true },
    { manage_finance: 2, manage_employee: 2, manage_news: 2, manage_coins: 2 },
  ]
  const all = await aSignedInMember(started, rights.at(-1))
  await storeTransfer(started, { address: sampleTokenAddress('a transfer'), amount: '7' })
  await fill(started, all, await aSignedInMember(started, rights.at(-1)))
  const counted = new Set<AttentionItem>()
  for (const reader of [
    ...(await Promise.all(rights.slice(0, -1).map((each) => aSignedInMember(started, each)))),
    all,
  ]) {
    const lists = listsFor(started, reader)
    const { body: waiting } = await started.call(api.listNeedsAttention, {}, { token: reader.token })
    for (const { what, count } of waiting) {
      // Has no list of its own.
      if (what === 'orders_any') continue
      const { pathname, hash, searchParams } = new URL(waitingPlaces[what].path()!, 'http://site.example')
      const { status, body } = await lists[pathname + hash]!(searchParams)
      expect([what, status, count]).toEqual([what, 200, (body as unknown[]).length])
      if (count > 0) counted.add(what)
    }
  }
  // Ensures that the counts are not equal merely because there is nothing to count.
  expect(attentionItems.filter((what) => !counted.has(what))).toEqual([])
})
