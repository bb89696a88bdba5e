import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { type Figure, type FigurePeriod, figurePeriodDefault } from '#contract/console/console-home.ts'
import { DAY } from '#contract/platform/durations.ts'
import { insertMail, markMailFailed } from '#api/platform/mail/mail.queries.ts'
import { replaceSale } from '#api/money/sale/sale.queries.ts'
import { transaction } from '#api/platform/db/database.ts'
import { updateMemberRow, type MemberChange } from '#api/people/members/member.queries.ts'
import { insertLostFactor, markOpened } from '#api/people/sessions/lost-factors/lost-factor.queries.ts'
import {
  anApplication,
  anOrder,
  aSignedInMember,
  proveIdentity,
  saleSettings,
  type TestMember,
} from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

const figureDays = Number(figurePeriodDefault)

const levels = {
  news1: { manage_news: 1 },
  employee1: { manage_employee: 1 },
  news2: { manage_news: 2 },
  employee2: { manage_employee: 2 },
  finance1: { manage_finance: 1 },
  finance2: { manage_finance: 2 },
  coins1: { manage_coins: 1 },
  coins2: { manage_coins: 2 },
  admin: { is_write_access_admin: true },
} satisfies Record<string, MemberChange>

const waitingFor = async ({ call }: TestApi, { token }: TestMember) =>
  (await call(api.listNeedsAttention, {}, { token })).body
const countsFor = async (started: TestApi, operator: TestMember) =>
  Object.fromEntries((await waitingFor(started, operator)).map(({ what, count }) => [what, count]))

const ofEmployee = [
  'conversations_open',
  'lost_factors',
  'erasures',
  'ambassadors',
  'ambassador_profiles',
  'mails_failed',
]
const ofFinance =
  'identity_unassigned identity_mine identity_answered identity_second_person orders_mine orders_reported orders_disputed orders_late orders_second_person'
    .concat(' orders_not_payable orders_price_withdrawn orders_address_withdrawn statement_lines')
    .concat(
      ' withdrawals_open withdrawals_overdue deliveries_due deliveries_overdue payouts_second_person payouts_unmatched conversations_open mentions orders_any',
    )
    .split(' ')

test('shows everyone only what awaits their role', async () => {
  const started = await startApi()
  const told = await Promise.all(
    Object.entries(levels).map(async ([name, rights]) => {
      const operator = await aSignedInMember(started, rights)
      return [name, Object.keys(await countsFor(started, operator))]
    }),
  )
  expect(Object.fromEntries(told)).toEqual({
    // Staff who can only read have no work here, but can be mentioned.
    news1: ['mentions'],
    employee1: ['mentions'],
    news2: ['posts_due', 'content_proposals', 'mentions'],
    employee2: [...ofEmployee, 'mentions'],
    finance1: ['mentions'],
    finance2: ofFinance,
    coins1: ['mentions'],
    coins2: ['sale_proposals', 'mentions'],
    admin: [...ofEmployee, 'posts_due', 'content_proposals', 'mentions'],
  })
})

test('cases await those who may take them, and the assigned officer', async () => {
  const started = await startApi()
  const [officer, other] = [
    await aSignedInMember(started, { manage_finance: 2 }),
    await aSignedInMember(started, { manage_finance: 2 }),
  ]
  const applications = []
  for (let n = 0; n < 3; n += 1)
    applications.push(await anApplication(started, await aSignedInMember(started)))
  await anApplication(started, await aSignedInMember(started), 'approved')
  // Staff can't decide on their own.
  await anApplication(started, other)
  const assigned = await started.call(
    api.assignKycCase,
    { params: { id: applications[1]!._id }, body: { to: 'me' } },
    { token: officer.token },
  )
  expect(assigned.status).toBe(200)
  expect(await countsFor(started, officer)).toMatchObject({ identity_unassigned: 3, identity_mine: 1 })
  expect(await countsFor(started, other)).toMatchObject({ identity_unassigned: 2, identity_mine: 0 })
  // The number equals that of the linked list.
  for (const operator of [officer, other]) {
    const { body: list } = await started.call(
      api.listKycCases,
      { query: { status: 'waiting', assignee: 'nobody' } },
      { token: operator.token },
    )
    expect((await waitingFor(started, operator))[0]).toMatchObject({ count: list.length })
  }
})

test('shows the age of the oldest item, or none if nothing waits', async () => {
  const started = await startApi()
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const { _id } = await anApplication(started, await aSignedInMember(started))
  await anApplication(started, await aSignedInMember(started))
  const created_at = new Date(Date.now() - 5 * DAY)
  await started.services.db.updateTable('kyc_application').set({ created_at }).where('id', '=', _id).execute()
  expect((await waitingFor(started, officer)).slice(0, 2)).toMatchObject([
    { what: 'identity_unassigned', count: 2, oldestAt: created_at.toISOString() },
    { what: 'identity_mine', count: 0, oldestAt: null },
  ])
})

test('orders are grouped by the required action', async () => {
  const started = await startApi()
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  const { id } = await aSignedInMember(started)
  await anOrder(started, id)
  await anOrder(started, id, { txId: 'a'.repeat(64) })
  await anOrder(started, id, { txId: 'b'.repeat(64), status: 'completed' })
  await anOrder(started, id, { disputed: true })
  await anOrder(started, id, { status: 'cancelled', reportedLate: true })
  const large = await anOrder(started, id)
  await started.services.db
    .updateTable('token_order')
    .set({ completion_proposed_by: colleague.id, completion_proposed_at: new Date() })
    .where('id', '=', large.id)
    .execute()
  expect(await countsFor(started, officer)).toMatchObject({
    orders_reported: 1,
    orders_disputed: 1,
    orders_late: 1,
    orders_second_person: 1,
    orders_not_payable: 3,
    // The disputed order and the one that awaits approval can't be paid either, and count once.
    orders_any: 5,
  })
  // The number equals that of the linked list.
  for (const [what, flag] of [
    ['orders_reported', 'payment_reported'],
    ['orders_disputed', 'disputed'],
    ['orders_late', 'reported_late'],
    ['orders_second_person', 'second_person'],
    ['orders_not_payable', 'not_payable'],
  ] as const) {
    const { body } = await started.call(api.listConsoleOrders, { query: { flag } }, { token: officer.token })
    expect([what, (await countsFor(started, officer))[what]]).toEqual([what, body.length])
  }
})

test('one’s own proposals and orders only await others', async () => {
  const started = await startApi()
  const [one, two] = [
    await aSignedInMember(started, { manage_finance: 2 }),
    await aSignedInMember(started, { manage_finance: 2 }),
  ]
  const { db } = started.services
  const proposed = await anOrder(started, (await aSignedInMember(started)).id, { txId: 'a'.repeat(64) })
  await anOrder(started, one.id, { txId: 'b'.repeat(64), disputed: true })
  const { _id } = await anApplication(started, await aSignedInMember(started))
  await db
    .updateTable('token_order')
    .set({ completion_proposed_by: one.id, completion_proposed_at: new Date() })
    .where('id', '=', proposed.id)
    .execute()
  await db
    .updateTable('kyc_application')
    .set({ final_proposed_by: one.id, final_proposed_at: new Date() })
    .where('id', '=', _id)
    .execute()
  const nothing = { identity_unassigned: 0, orders_reported: 0, orders_disputed: 0, orders_second_person: 0 }
  expect(await countsFor(started, one)).toMatchObject({ ...nothing, identity_second_person: 0 })
  expect(await countsFor(started, two)).toMatchObject({
    identity_unassigned: 1,
    identity_second_person: 1,
    orders_reported: 2,
    orders_disputed: 1,
    orders_second_person: 1,
  })
})

test('an answer awaits the officer who asked for it, and the list has the same filter', async () => {
  const started = await startApi()
  const [officer, other] = [
    await aSignedInMember(started, { manage_finance: 2 }),
    await aSignedInMember(started, { manage_finance: 2 }),
  ]
  const { _id } = await anApplication(started, await aSignedInMember(started))
  await anApplication(started, await aSignedInMember(started))
  await started.services.db
    .updateTable('kyc_application')
    .set({ round: 2, assignee_id: officer.id })
    .where('id', '=', _id)
    .execute()
  expect(await countsFor(started, officer)).toMatchObject({ identity_mine: 1, identity_answered: 1 })
  expect(await countsFor(started, other)).toMatchObject({ identity_mine: 0, identity_answered: 0 })
  const listed = async (assignee?: 'me') =>
    (
      await started.call(
        api.listKycCases,
        { query: { status: 'waiting', flag: 'answered', ...(assignee && { assignee }) } },
        { token: other.token },
      )
    ).body.map((each) => each._id)
  expect(await listed()).toEqual([_id])
  expect(await listed('me')).toEqual([])
})

test('recoveries await those who can advance them; failed emails and applications await the whole role', async () => {
  const started = await startApi()
  const { db } = started.services
  const [one, two] = [
    await aSignedInMember(started, { manage_employee: 2 }),
    await aSignedInMember(started, { manage_employee: 2 }),
  ]
  await insertLostFactor(db, (await aSignedInMember(started)).id)
  const opened = await insertLostFactor(db, (await aSignedInMember(started)).id)
  await markOpened(db, opened.id, one.id, 'seen on video')
  await insertLostFactor(db, two.id)
  await started.call(api.applyAsAmbassador, {
    body: { email: 'a@example.org', fullName: 'Sample Person', city: 'Oslo', country: 'Norway' },
  })
  const mail = { toAddress: 'a@example.org', kind: 'activation', sealedMessage: Buffer.from('') }
  await insertMail(db, { id: 'failed', ...mail })
  await insertMail(db, { ...mail, id: 'of-identity', kind: 'kyc-approved' })
  for (const id of ['failed', 'of-identity'])
    await markMailFailed(db, { id, attempts: 0 }, { error: '550' }, { isErased: false })
  expect(await countsFor(started, one)).toMatchObject({ lost_factors: 2, ambassadors: 1, mails_failed: 1 })
  expect(await countsFor(started, two)).toMatchObject({ lost_factors: 2 })
})

test('a proposed receiving address awaits a second person, not its author', async () => {
  const started = await startApi()
  const [one, two] = [
    await aSignedInMember(started, { manage_coins: 2 }),
    await aSignedInMember(started, { manage_coins: 2 }),
  ]
  await started.services.db
    .insertInto('sale_proposal')
    .values({ proposed_by: one.id, settings: '{}', changes: '[]' })
    .execute()
  expect(await countsFor(started, one)).toMatchObject({ sale_proposals: 0 })
  expect(await countsFor(started, two)).toMatchObject({ sale_proposals: 1 })
})

test('posts are due until the end of today (UTC), and when overdue', async () => {
  const started = await startApi()
  const editor = await aSignedInMember(started, { manage_news: 2 })
  const midnight = new Date(new Date().toISOString().slice(0, 10)).getTime()
  for (const [slug, at] of [
    ['overdue', midnight - DAY],
    ['today', midnight + DAY - 1],
    ['tomorrow', midnight + DAY],
  ] as const)
    await started.services.db
      .insertInto('announcement')
      .values({
        slug,
        title: slug,
        category: 'News',
        language: 'en',
        content: '',
        content_summary: '',
        state: 'scheduled',
        publish_at: new Date(at),
        publish_zone: 'UTC',
      })
      .execute()
  expect(await countsFor(started, editor)).toMatchObject({ posts_due: 2, content_proposals: 0 })
})

const figuresFor = async ({ call }: TestApi, { token }: TestMember, days?: FigurePeriod) =>
  (await call(api.readDashboardMetrics, { query: { ...(days && { days }) } }, { token })).body

const namesOf = (figures: readonly Figure[]) => [...new Set(figures.map(({ name }) => name))]

test('shows metrics by role', async () => {
  const started = await startApi()
  await anOrder(started, (await aSignedInMember(started)).id)
  const told = await Promise.all(
    Object.entries(levels).map(async ([name, rights]) => [
      name,
      namesOf((await figuresFor(started, await aSignedInMember(started, rights))).figures),
    ]),
  )
  const ofMembers = ['sign_ups', 'activations']
  const ofMoney = [
    'applications',
    'approved',
    'rejected',
    'more_info',
    'orders_pending',
    'orders_completed',
    'orders_cancelled',
    'amount_pending',
    'amount_completed',
  ]
  expect(Object.fromEntries(told)).toEqual({
    news1: [],
    news2: [],
    employee1: ofMembers,
    employee2: ofMembers,
    finance1: ofMoney,
    finance2: ofMoney,
    coins1: [],
    coins2: [],
    admin: ofMembers,
  })
})

test('counts each of the last 28 UTC days, ending today, and nothing older', async () => {
  const started = await startApi()
  const { db } = started.services
  const { id } = await aSignedInMember(started)
  const officer = await aSignedInMember(started, { manage_finance: 1, manage_employee: 1 })
  const midnight = new Date(new Date().toISOString().slice(0, 10)).getTime()
  const first = midnight - (figureDays - 1) * DAY
  await db
    .updateTable('member')
    .set({ created_at: new Date(first), activated_at: new Date(first - 1) })
    .execute()
  const { id: late } = await aSignedInMember(started)
  await db
    .updateTable('member')
    .set({ created_at: new Date(midnight - 1) })
    .where('id', '=', late)
    .execute()
  await anOrder(started, id, { amount: '0.1' })
  const { from, figures } = await figuresFor(started, officer)
  expect(from).toBe(new Date(first).toISOString().slice(0, 10))
  const valuesOf = (wanted: string) => figures.find(({ name }) => name === wanted)!.values
  expect(valuesOf('sign_ups')).toHaveLength(figureDays)
  expect(valuesOf('sign_ups')[0]).toBe('2')
  expect(valuesOf('sign_ups').slice(-2)).toEqual(['1', '0'])
  expect(valuesOf('activations').filter((value) => value !== '0')).toEqual(['1'])
  expect(valuesOf('orders_pending').at(-1)).toBe('1')
})

test.each([
  ['7', 1],
  ['91', 1],
  ['364', 7],
] as const)(
  'a period of %s days has values of %s days, and the total of the period before',
  async (days, step) => {
    const started = await startApi()
    const { db } = started.services
    const officer = await aSignedInMember(started, { manage_finance: 1, manage_employee: 1 })
    const midnight = new Date(new Date().toISOString().slice(0, 10)).getTime()
    const first = midnight - (Number(days) - 1) * DAY
    const at = async (time: number) => {
      const member = await aSignedInMember(started)
      const created_at = new Date(time)
      await db.updateTable('member').set({ created_at }).where('id', '=', member.id).execute()
      const { id } = await anOrder(started, member.id, { amount: '1.5' })
      await db.updateTable('token_order').set({ created_at }).where('id', '=', id).execute()
    }
    await at(first)
    await at(first + step * DAY)
    for (const time of [first - 1, first - Number(days) * DAY, first - Number(days) * DAY - 1]) await at(time)
    const { from, figures, step: shown } = await figuresFor(started, officer, days)
    expect([from, shown]).toEqual([new Date(first).toISOString().slice(0, 10), step])
    const of = (wanted: string) => figures.find(({ name }) => name === wanted)!
    for (const name of ['sign_ups', 'orders_pending']) {
      expect(of(name).values).toHaveLength(Number(days) / step)
      expect(of(name).values.slice(0, 3)).toEqual(['1', '1', '0'])
      expect(of(name).before).toBe('2')
    }
    expect(of('amount_pending')).toMatchObject({ before: '3' })
  },
)

test('shows how far new members came, and what is sold and left, by role', async () => {
  const started = await startApi()
  const { db } = started.services
  const officer = await aSignedInMember(started, { manage_finance: 1, manage_employee: 1 })
  const seller = await aSignedInMember(started, { manage_coins: 1 })
  expect((await figuresFor(started, seller)).sale).toBeNull()
  await transaction(db, (db) => replaceSale(db, saleSettings({ cap: '1000' }), null))
  const [buyer, other, old] = [
    await aSignedInMember(started),
    await aSignedInMember(started),
    await aSignedInMember(started),
  ]
  await proveIdentity(started, buyer)
  await anOrder(started, buyer.id, { status: 'completed', fabQty: '100.5' })
  await anOrder(started, buyer.id, { fabQty: '20' })
  await anOrder(started, other.id, { status: 'cancelled', fabQty: '7' })
  await anOrder(started, old.id, { status: 'completed', fabQty: '1' })
  const created_at = new Date(Date.now() - 30 * DAY)
  await db.updateTable('member').set({ created_at }).where('id', '=', old.id).execute()
  const { path, sale } = await figuresFor(started, officer)
  expect(path).toEqual([
    { step: 'signed_up', count: 4 },
    { step: 'activated', count: 4 },
    { step: 'identified', count: 1 },
    { step: 'ordered', count: 2 },
    { step: 'paid', count: 1 },
  ])
  expect(sale).toBeNull()
  expect(await figuresFor(started, seller)).toMatchObject({
    path: [],
    sale: { sold: '121.5', cap: '1000', left: '878.5', orders: 3, quantity: '121.5' },
  })
})

test('amounts are exact, by coin, and exclude canceled orders', async () => {
  const started = await startApi()
  const { id } = await aSignedInMember(started)
  const officer = await aSignedInMember(started, { manage_finance: 1 })
  const order = (payMethod: string, amount: string, status: 'pending' | 'completed' | 'cancelled') =>
    anOrder(started, id, { payMethod, amount, status })
  await order('ETH', '0.1', 'pending')
  await order('ETH', '0.2', 'pending')
  await order('eth', '12345678901234567890.000000000000000001', 'completed')
  await order('ETH', '7', 'cancelled')
  await order('Bank transfer', '99.5', 'completed')
  const { figures, hasMoreCoins } = await figuresFor(started, officer)
  const today = figures.flatMap(({ name, coin, values }) => (coin ? [[name, coin, values.at(-1)]] : []))
  expect(today).toEqual([
    ['amount_pending', 'ETH', '0.3'],
    ['amount_completed', 'ETH', '12345678901234567890.000000000000000001'],
    ['amount_pending', 'USD', '0'],
    ['amount_completed', 'USD', '99.5'],
  ])
  expect(hasMoreCoins).toBe(false)
  for (const coin of ['A', 'B', 'C', 'D', 'E']) await order(coin, '1', 'pending')
  const more = await figuresFor(started, officer)
  expect(more.hasMoreCoins).toBe(true)
  expect(new Set(more.figures.flatMap(({ coin }) => coin ?? [])).size).toBe(6)
})

test('an activation is counted once, and not moved by closing and reopening the account', async () => {
  const started = await startApi()
  const { db } = started.services
  const { id } = await aSignedInMember(started)
  const read = async () =>
    (
      await db.selectFrom('member').select('activated_at').where('id', '=', id).executeTakeFirstOrThrow()
    ).activated_at?.toISOString()
  const first = await read()
  expect(first).toBeDefined()
  for (const active of [false, true]) await updateMemberRow(db, id, { active })
  expect(await read()).toBe(first)
})
