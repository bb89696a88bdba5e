import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aDueDelivery, aRun, freeze, officers, readRun } from '#tests/payouts.ts'
import { staffDecides, startApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { aWebhook } from '#tests/webhooks.ts'

/* Which deliveries become a payout run, and why others don't. */

const on = await startApi({}, afterAll)
const [one, two] = await officers(on, 2)
const { db } = on.services
const preview = (deliveryIds: string[]) => on.call(api.previewPayout, { body: { deliveryIds } }, as(one))

test('a preview names the total, the warnings, and what is left out', async () => {
  const due = await aDueDelivery(on, { amount: '12.5' })
  const own = await aDueDelivery(on, { memberId: one.id })
  const early = await aDueDelivery(on, { dueAt: new Date(Date.now() + HOUR) })
  const { body } = await preview([due.id, own.id, early.id, 'unknown'])
  expect(body).toMatchObject({ deliveryIds: [due.id], count: 1, total: '12.5', needsTwo: false, hold: null })
  expect(body.warned).toMatchObject([{ deliveryId: due.id, warnings: ['new_address', 'never_proved'] }])
  expect(new Map(body.leftOut.map(({ deliveryId, obstacle }) => [deliveryId, obstacle]))).toEqual(
    new Map([
      [own.id, 'own'],
      [early.id, 'scheduled'],
      ['unknown', 'unknown'],
    ]),
  )
})

test('a preview of filters contains due deliveries only', async () => {
  const due = await aDueDelivery(on)
  const early = await aDueDelivery(on, { dueAt: new Date(Date.now() + HOUR), memberId: due.memberId })
  const { email } = await db
    .selectFrom('member')
    .select('email')
    .where('id', '=', due.memberId)
    .executeTakeFirstOrThrow()
  const { body } = await on.call(api.previewPayout, { body: { filters: { q: email } } }, as(one))
  expect(body.deliveryIds).toEqual([due.id])
  expect(body.deliveryIds).not.toContain(early.id)
  expect((await on.call(api.previewPayout, { body: {} }, as(one))).problem.errors).toMatchObject([
    { path: 'deliveryIds', code: 'required' },
  ])
})

test('an address that another member uses is a warning', async () => {
  const first = await aDueDelivery(on)
  const second = await aDueDelivery(on, { address: first.address })
  const { body } = await preview([second.id])
  expect(body.warned[0]?.warnings).toContain('shared')
})

test('freezing needs finance level 2 and recent authentication', async () => {
  const { id } = await aDueDelivery(on)
  const reader = await aSignedInMember(on, { manage_finance: 1 })
  expect((await freeze(on, reader, [id], '100')).status).toBe(403)
  const late = await aSignedInMember(on, { manage_finance: 2 })
  await letProofAge(on, late)
  expect((await freeze(on, late, [id], '100')).problem.code).toBe('step_up_required')
})

test('a total that differs from the preview freezes nothing', async () => {
  const { id } = await aDueDelivery(on)
  const { problem } = await freeze(on, one, [id], '99')
  expect(problem.errors).toMatchObject([{ path: 'total', code: 'mismatch' }])
  expect((await freeze(on, one, [id], '100')).status).toBe(201)
})

type Due = Awaited<ReturnType<typeof aDueDelivery>>

const withdrawn = (state: 'requested' | 'refunded') => (due: Due) =>
  db
    .insertInto('order_withdrawal')
    .values({
      order_id: due.order_id,
      state,
      refund_amount: state === 'refunded' ? '1.5' : null,
      refund_before: new Date(),
      until_at: new Date(),
    })
    .execute()
const ofOrder = (values: { fab_address?: string; address_usable_from?: Date }) => (due: Due) =>
  db.updateTable('token_order').set(values).where('id', '=', due.order_id).execute()
const ofDelivery =
  (values: { held_at?: Date; hold_reason?: string; cancelled_at?: Date; cancel_cause?: string }) =>
  (due: Due) =>
    db.updateTable('delivery').set(values).where('id', '=', due.id).execute()

test.each([
  ['on_hold', 'withdrawal_open', withdrawn('requested')],
  ['on_hold', 'refunded', withdrawn('refunded')],
  ['on_hold', 'staff', ofDelivery({ held_at: new Date(), hold_reason: 'They asked us to wait.' })],
  ['on_hold', 'address_missing', ofOrder({ fab_address: '' })],
  ['on_hold', 'address_new', ofOrder({ address_usable_from: new Date(Date.now() + HOUR) })],
  ['address', null, ofOrder({ fab_address: 'no address' })],
  ['cancelled', null, ofDelivery({ cancelled_at: new Date(), cancel_cause: 'refunded' })],
] as const)(
  'a delivery that changed after the preview is refused: %s, %s',
  async (obstacle, hold, change) => {
    const [due, other] = [await aDueDelivery(on), await aDueDelivery(on)]
    await change(due)
    const { status, problem } = await freeze(on, one, [other.id, due.id], '200')
    expect(status).toBe(409)
    expect(problem).toMatchObject({
      code: 'conflict',
      errors: [{ path: 'deliveryIds.1', code: 'not_payable' }],
      deliveries: [{ deliveryId: due.id, reference: due.reference, obstacle, hold }],
    })
    expect((await preview([due.id])).body.leftOut).toMatchObject([{ obstacle, hold }])
    // Nothing was frozen.
    expect((await freeze(on, one, [other.id], '100')).status).toBe(201)
  },
)

test('a delivery in another run is refused', async () => {
  const { list } = await aRun(on, one)
  const { problem } = await freeze(on, two, [list[0]!.deliveryId], '100')
  expect(problem.deliveries).toMatchObject([{ obstacle: 'in_run' }])
})

test('an officer can’t freeze a delivery of their own', async () => {
  const { id } = await aDueDelivery(on, { memberId: one.id })
  const { problem } = await freeze(on, one, [id], '100')
  expect(problem).toMatchObject({ code: 'conflict', deliveries: [{ deliveryId: id, obstacle: 'own' }] })
})

test('a withdrawal period that the settings lengthened postpones the delivery', async () => {
  const started = await startApi({ WITHDRAWAL_DAYS: '14' })
  const [officer] = await officers(started, 1)
  const due = await aDueDelivery(started)
  const options = { ...as(officer), headers: { 'idempotency-key': 'lengthened' } }
  const body = { deliveryIds: [due.id], total: '100' }
  const { problem } = await started.call(api.freezePayout, { body }, options)
  expect(problem.deliveries).toMatchObject([{ obstacle: 'on_hold', hold: 'withdrawal_period' }])
  const { due_at: at } = await started.services.db
    .selectFrom('delivery')
    .select('due_at')
    .where('id', '=', due.id)
    .executeTakeFirstOrThrow()
  expect(at.getTime()).toBeGreaterThan(Date.now() + 13 * DAY)
  const again = await started.call(api.previewPayout, { body: { deliveryIds: [due.id] } }, as(officer))
  expect(again.body.leftOut).toMatchObject([{ obstacle: 'scheduled' }])
})

test('a repeated request with the same key freezes once', async () => {
  const { id } = await aDueDelivery(on)
  const call = (total: string) =>
    on.call(
      api.freezePayout,
      { body: { deliveryIds: [id], total } },
      { ...as(one), headers: { 'idempotency-key': 'frozen-once' } },
    )
  const [first, again] = [await call('100'), await call('100')]
  expect(again.body.id).toBe(first.body.id)
  expect((await call('101')).problem.code).toBe('idempotency_conflict')
})

test('a Bitcoin-like run pays each address once', async () => {
  const first = await aDueDelivery(on)
  const same = await aDueDelivery(on, { address: first.address })
  expect((await preview([first.id, same.id])).body.leftOut).toMatchObject([{ obstacle: 'same_address' }])
})

test('an amount that the token can’t represent is refused', async () => {
  const { id } = await aDueDelivery(on, { amount: '0.000000001' })
  expect((await preview([id])).body.leftOut).toMatchObject([{ obstacle: 'too_precise' }])
})

test('a run keeps what was frozen, and the audit log and the events name it', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 2 })
  const [officer] = await officers(started, 1)
  await aWebhook(started, admin, 'https://hooks.example.com/in', ['delivery.changed', 'payout.changed'])
  const run = await aRun(started, officer, 2, '0.00000001')
  expect(run).toMatchObject({ state: 'ready', items: 2, total: '0.00000002', frozenBy: { id: officer.id } })
  expect(await readRun(started, officer, run.id)).toEqual(run)
  const events = await started.services.db.selectFrom('webhook_event').select(['type', 'data']).execute()
  const [item] = run.list
  expect(events).toContainEqual({
    type: 'payout.changed',
    data: expect.objectContaining({ runId: run.id, state: 'frozen', items: 2, hash: run.hash }),
  })
  expect(events).toContainEqual({
    type: 'delivery.changed',
    data: expect.objectContaining({
      deliveryId: item!.deliveryId,
      orderId: item!.orderId,
      state: 'in_run',
      runId: run.id,
      txId: '',
    }),
  })
  expect(events.filter(({ type }) => type === 'delivery.changed')).toHaveLength(2)
})

test('small runs of one officer add up to one that needs a second', async () => {
  const started = await startApi(staffDecides)
  const [first] = await officers(started, 2)
  for (let n = 0; n < 5; n++) expect((await aRun(started, first, 1, '9999')).needsTwo).toBe(false)
  expect((await aRun(started, first, 1, '9999')).needsTwo).toBe(true)
})
