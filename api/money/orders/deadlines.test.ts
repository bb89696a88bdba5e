import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo, stepsOf, updatePaid } from '#tests/orders.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'
import { bankMapping, importStatement } from '#tests/statements.ts'
import { formatMoment } from '../../platform/text/format-time.ts'
import { enforceDeadlines, startDeadlineWorker } from './deadline-worker.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })

const aTxId = () => randomBytes(32).toString('hex')
const read = async (by: TestMember, id: string) =>
  (await call(api.getOrder, { params: { id } }, { token: by.token })).body
const report = (by: TestMember, id: string, txId = aTxId()) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
const update = (body: Parameters<typeof call<typeof api.updateOrder>>[1]['body']) =>
  updatePaid(started, body, finance)

async function aPlacedOrder() {
  const member = await aBuyer(started)
  return { member, order: await anOrderOf(started, member) }
}

test('shows the deadline of an order in the response, the email, and with its payment', async () => {
  const { member, order } = await aPlacedOrder()
  expect(Date.parse(order.payBefore!) - Date.parse(order.createdAt)).toBe(24 * HOUR)
  const [mail] = await mailsTo(member.email).then((mails) =>
    mails.filter(({ kind }) => kind === 'order-placed'),
  )
  expect(mail!.text).toContain(formatMoment(new Date(order.payBefore!), 'en'))
  expect(mail!.text).toContain('UTC')
  const payment = await call(api.getOrderPayment, { params: { id: order._id } }, { token: member.token })
  expect(payment.body.payBefore).toBe(order.payBefore)
  expect((await call(api.getSale, {}, { token: member.token })).body.payHours).toBe(24)
})

test('the payment period is a setting', async () => {
  const other = await startApi({ ORDER_PAY_HOURS: '72' })
  const order = await anOrderOf(other, await aBuyer(other))
  expect(Date.parse(order.payBefore!) - Date.parse(order.createdAt)).toBe(72 * HOUR)
})

test('cancels an unpaid order automatically, once, and emails its member', async () => {
  const { member, order } = await aPlacedOrder()
  await moveDeadline(started, order._id, -1)
  const payment = await call(api.getOrderPayment, { params: { id: order._id } }, { token: member.token })
  expect(payment.body).toMatchObject({ status: 'pending', receivingAddress: '', uri: null, qrSvg: null })
  await enforceDeadlines(services)
  await enforceDeadlines(services)
  expect(await read(member, order._id)).toMatchObject({ status: 'cancelled', reportedLate: false })
  expect(await stepsOf(started, member, order._id)).toEqual(['placed', 'unpaid'])
  expect(await orderMailsTo(started, member)).toEqual(['order-placed', 'order-unpaid'])
  const entries = await services.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'action'])
    .where('subject_id', '=', order._id)
    .orderBy('id')
    .execute()
  expect(entries.at(-1)).toEqual({ actor_id: null, action: 'order-unpaid' })
})

test('orders with a reported or recorded payment, and closed ones, have no deadline', async () => {
  const { member, order } = await aPlacedOrder()
  const [paid, completed] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  await report(member, order._id)
  await update({ _id: paid._id, txId: aTxId() })
  await update({ _id: completed._id, status: 'completed' })
  for (const { _id } of [order, paid, completed]) await moveDeadline(started, _id, -1)
  await enforceDeadlines(services)
  const states = await Promise.all(
    [order, paid, completed].map(async ({ _id }) => (await read(member, _id)).status),
  )
  expect(states).toEqual(['pending', 'pending', 'completed'])
})

test('sends one reminder in the last quarter of the period, but not to those who reported', async () => {
  const { member, order } = await aPlacedOrder()
  const reported = await aPlacedOrder()
  await report(reported.member, reported.order._id)
  await moveDeadline(started, order._id, 6 * 3600 + 60)
  await enforceDeadlines(services)
  expect(await orderMailsTo(started, member)).toEqual(['order-placed'])
  for (const { _id } of [order, reported.order]) await moveDeadline(started, _id, 6 * 3600 - 60)
  await enforceDeadlines(services)
  await enforceDeadlines(services)
  expect(await orderMailsTo(started, member)).toEqual(['order-placed', 'order-reminder'])
  expect(await orderMailsTo(started, reported.member)).not.toContain('order-reminder')
})

type Placed = Awaited<ReturnType<typeof aPlacedOrder>>

test.each([
  [
    'an open statement line',
    async ({ order }: Placed) => {
      await importStatement(
        started,
        finance,
        `Date,Amount,Purpose\n,100.00,${order.reference}\n`,
        bankMapping,
      )
      return () => services.db.deleteFrom('statement_line').execute()
    },
  ],
  [
    'the chain',
    async ({ order }: Placed) => {
      const seen = { order_id: order._id, coin: 'BTC', state: 'too_little', received: '0.1' } as const
      await services.db.insertInto('chain_payment').values(seen).execute()
      return () => services.db.deleteFrom('chain_payment').execute()
    },
  ],
])('sends no reminder while %s shows a payment', async (_, show) => {
  const placed = await aPlacedOrder()
  const hide = await show(placed)
  await moveDeadline(started, placed.order._id, 60)
  await enforceDeadlines(services)
  expect(await orderMailsTo(started, placed.member)).not.toContain('order-reminder')
  await hide()
  await enforceDeadlines(services)
  expect(await orderMailsTo(started, placed.member)).toContain('order-reminder')
})

test('of several instances, one cancels and one reminds', async () => {
  const other = await startAnotherInstance(started)
  const member = await aBuyer(started)
  const orders = []
  for (let n = 0; n < 12; n += 1) orders.push(await anOrderOf(started, member))
  for (const [n, { _id }] of orders.entries()) await moveDeadline(started, _id, n % 2 === 0 ? -1 : 60)
  await Promise.all(
    [services, other.services, services, other.services].map((each) => enforceDeadlines(each)),
  )
  const mails = await orderMailsTo(started, member)
  expect(mails.filter((kind) => kind === 'order-unpaid')).toHaveLength(6)
  expect(mails.filter((kind) => kind === 'order-reminder')).toHaveLength(6)
})

test('a report after the deadline is late even before the automatic cancellation', async () => {
  const { member, order } = await aPlacedOrder()
  await moveDeadline(started, order._id, -1)
  const txId = aTxId()
  expect(await report(member, order._id, txId)).toMatchObject({
    status: 200,
    body: { status: 'cancelled', reportedLate: true, txId },
  })
  await enforceDeadlines(services)
  expect(await stepsOf(started, member, order._id)).toEqual(['placed', 'unpaid', 'reported_late'])
  expect(await orderMailsTo(started, member)).toEqual(['order-placed', 'order-unpaid', 'order-reported-late'])
})

test.each(['program', 'finance', 'member'] as const)(
  'a report on an order canceled by the %s reopens nothing, and finance finds it',
  async (by) => {
    const { member, order } = await aPlacedOrder()
    if (by === 'program') {
      await moveDeadline(started, order._id, -1)
      await enforceDeadlines(services)
    } else if (by === 'finance') await update({ _id: order._id, status: 'cancelled' })
    else await call(api.cancelOrder, { params: { id: order._id }, body: null }, { token: member.token })
    const txId = aTxId()
    expect((await report(member, order._id, txId)).body).toMatchObject({
      status: 'cancelled',
      reportedLate: true,
    })
    // Reported again without a change.
    expect((await report(member, order._id, txId)).status).toBe(200)
    expect(
      (await stepsOf(started, member, order._id)).filter((kind) => kind === 'reported_late'),
    ).toHaveLength(1)
    const late = async () =>
      (
        await call(
          api.findOrders,
          { body: { reportedLate: true, memberId: member.id } },
          { token: finance.token },
        )
      ).body.map(({ _id }) => _id)
    expect(await late()).toEqual([order._id])
    expect((await update({ _id: order._id, status: 'completed' })).problem.code).toBe('conflict')
    expect((await update({ _id: order._id, reportedLate: false })).problem.errors).toMatchObject([
      { path: 'reason', code: 'required' },
    ])
    const settled = await update({
      _id: order._id,
      reportedLate: false,
      reason: 'Entered anew as another order.',
    })
    expect(settled.body).toMatchObject({ status: 'cancelled', reportedLate: false })
    expect(await late()).toEqual([])
  },
)

test('of a report and the deadline, the first one wins completely', async () => {
  const raced = []
  for (let n = 0; n < 8; n += 1) raced.push(await aPlacedOrder())
  for (const { order } of raced) await moveDeadline(started, order._id, 0.15)
  await Promise.all([
    ...raced.map(async ({ member, order }, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 40))
      return report(member, order._id)
    }),
    ...Array.from({ length: 4 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 80))
      return enforceDeadlines(services)
    }),
  ])
  await enforceDeadlines(services)
  for (const { member, order } of raced) {
    const { status, reportedLate, txId } = await read(member, order._id)
    expect(txId).not.toBe('')
    expect(['pending false', 'cancelled true']).toContain(`${status} ${reportedLate}`)
    const steps = await stepsOf(started, member, order._id)
    expect(steps).toEqual(
      status === 'pending' ? ['placed', 'payment_reported'] : ['placed', 'unpaid', 'reported_late'],
    )
  }
})

test('pending orders of a release without deadlines get theirs from now on', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id)
  await sql`update token_order set created_at = now() - interval '1 year' where id = ${id}`.execute(
    services.db,
  )
  await enforceDeadlines(services)
  const { status, payBefore } = await read(member, id)
  expect(status).toBe('pending')
  expect(Date.parse(payBefore!) - Date.now()).toBeGreaterThan(23 * HOUR)
})

test('an order entered to be paid has a deadline; one entered as closed has none', async () => {
  const member = await aSignedInMember(started)
  const enter = (status: string) =>
    call(
      api.createOrder,
      {
        body: {
          memberId: member.id,
          payMethod: 'BTC',
          amount: '1',
          fabQty: '10',
          status,
          reason: 'Agreed.',
        },
      },
      { token: finance.token },
    )
  expect((await enter('pending')).body.payBefore).not.toBeNull()
  expect((await enter('completed')).body.payBefore).toBeNull()
})

test('the worker enforces deadlines, and one failing order delays no other', async () => {
  const [stuck, next] = [await aPlacedOrder(), await aPlacedOrder()]
  await sql`create function refuse_stuck() returns trigger language plpgsql as
    $$ begin raise exception 'stuck'; end $$`.execute(services.db)
  await sql`create trigger stuck before update of status on token_order for each row
    when (old.id = ${sql.lit(stuck.order._id)}) execute function refuse_stuck()`.execute(services.db)
  await moveDeadline(started, stuck.order._id, -60)
  await moveDeadline(started, next.order._id, -1)
  const worker = startDeadlineWorker(services)
  await expect.poll(async () => (await read(next.member, next.order._id)).status).toBe('cancelled')
  await worker.stop()
  expect((await read(stuck.member, stuck.order._id)).status).toBe('pending')
  await sql`drop trigger stuck on token_order`.execute(services.db)
  await enforceDeadlines(services)
  expect((await read(stuck.member, stuck.order._id)).status).toBe('cancelled')
})
