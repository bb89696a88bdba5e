import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aSignedInMember, goodPassword } from '#tests/builders.ts'
import { aBuyer, anOrderOf, orderMailsTo } from '#tests/orders.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'
import { letOrderAge } from '#tests/withdrawals.ts'

const refundAddress = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const txId = 'ab'.repeat(32)
const paidOn = new Date().toISOString().slice(0, 10)

/** An order for which finance recorded half of the amount, and two finance members. */
async function anUnderpaidOrder(settings: Record<string, string> = {}, amount = '0.5') {
  const started = await startApi({ ...staffDecides, ...settings })
  const [first, second] = [
    await aSignedInMember(started, { manage_finance: 2 }),
    await aSignedInMember(started, { manage_finance: 2 }),
  ]
  const buyer = await aBuyer(started)
  const { _id: id } = await anOrderOf(started, buyer, 'BTC', amount)
  const { call } = started
  const change = (by: typeof first, body: object) =>
    call(api.updateOrder, { body: { _id: id, ...body } }, as(by))
  const half = String(Number(amount) / 2)
  expect((await change(first, { paidAmount: half })).status).toBe(200)
  const open = (by = first, body: object = {}) =>
    call(
      api.openRefund,
      { params: { id }, body: { refundAddress, reason: 'Paid too little.', ...body } },
      as(by),
    )
  const read = async () =>
    (await call(api.getConsoleWithdrawal, { params: { id } }, as(first))).body.withdrawal
  const accept = async (by: typeof first) =>
    call(api.acceptWithdrawal, { params: { id: (await read())!.id }, body: {} }, as(by))
  const refund = async (by: typeof first) =>
    call(
      api.recordRefund,
      { params: { id: (await read())!.id }, body: { amount: half, txId, paidOn, reason: 'Sent back.' } },
      as(by),
    )
  return { started, first, second, buyer, id, change, open, read, accept, refund }
}
type Scene = Awaited<ReturnType<typeof anUnderpaidOrder>>

/** Refunds the order with the approval of both finance members. */
async function expectRefundable({ first, second, read, accept, refund, open }: Scene) {
  expect((await open()).status).toBe(200)
  for (const by of [first, second]) expect((await accept(by)).status).toBe(200)
  expect(await read()).toMatchObject({ state: 'accepted', orderStatus: 'cancelled' })
  for (const by of [first, second]) expect((await refund(by)).status).toBe(200)
  expect(await read()).toMatchObject({ state: 'refunded', refund: { txId } })
}

describe('finance refunds a large order that its member can’t withdraw from', () => {
  test('because the installation has no withdrawal period', async () => {
    await expectRefundable(await anUnderpaidOrder())
  })

  test('because the withdrawal period is over', async () => {
    const scene = await anUnderpaidOrder({ WITHDRAWAL_DAYS: '14' })
    await letOrderAge(scene.started, scene.id, 20 * DAY)
    await sql`update withdrawal_period set until_at = now() - interval '5 days'`.execute(
      scene.started.services.db,
    )
    await expectRefundable(scene)
  })

  test('because the member erased the account', async () => {
    const scene = await anUnderpaidOrder()
    const body = { current: goodPassword }
    expect((await scene.started.call(api.eraseMember, { body }, as(scene.buyer))).status).toBe(200)
    await expectRefundable(scene)
  })

  test('because staff closed the account', async () => {
    const scene = await anUnderpaidOrder()
    await sql`update member set active = false, closed_at = now() where id = ${scene.buyer.id}`.execute(
      scene.started.services.db,
    )
    await expectRefundable(scene)
  })
})

test('a refund that finance opened always needs two people, and its member is emailed', async () => {
  const scene = await anUnderpaidOrder({}, '0.01')
  const { started, first, second, buyer, change, open, accept, refund, read } = scene
  expect((await change(first, { status: 'cancelled', reason: 'Paid too little.' })).status).toBe(200)
  expect((await open(second)).status).toBe(200)
  expect(await orderMailsTo(started, buyer)).toContain('order-refund-opened')
  expect((await accept(second)).status).toBe(200)
  // Without the rule, the record of the colleague would allow one person to refund.
  expect((await refund(second)).body.state).toBe('accepted')
  expect((await refund(first)).body.state).toBe('refunded')
  expect(await read()).toMatchObject({ refund: { amount: '0.005' } })
})

test('the email promises a refund only while a payment counts as received', async () => {
  const { started, first, second, buyer, change, open } = await anUnderpaidOrder()
  expect((await change(first, { paidAmount: null, reason: 'Wrong order.' })).status).toBe(200)
  expect((await open(second)).status).toBe(200)
  const mail = (await started.mailsTo(buyer.email)).at(-1)!
  expect(mail.kind).toBe('order-refund-opened-unconfirmed')
  expect(mail.text).toContain('still checking whether we received a payment')
})

describe('finance can’t open a refund', () => {
  test('without a payment, of a completed order, or twice', async () => {
    const { started, first, second, buyer, change, open } = await anUnderpaidOrder({}, '0.01')
    const unpaid = await anOrderOf(started, buyer, 'BTC', '0.01')
    const body = { refundAddress, reason: 'Paid too little.' }
    const refused = await started.call(api.openRefund, { params: { id: unpaid._id }, body }, as(first))
    expect(refused.problem.code).toBe('conflict')
    expect((await open()).status).toBe(200)
    expect((await open(second)).problem.code).toBe('conflict')
    const other = await anUnderpaidOrder({}, '0.01')
    expect((await other.change(other.first, { status: 'completed', reason: 'Agreed.' })).status).toBe(200)
    expect((await other.open()).problem.code).toBe('conflict')
    expect((await change(first, { status: 'completed', reason: 'Agreed.' })).problem.code).toBe('conflict')
  })

  test('for their own order, without a reason, or to a wrong address', async () => {
    const { started, buyer, open, first } = await anUnderpaidOrder({}, '0.01')
    await sql`update member set manage_finance = 2 where id = ${buyer.id}`.execute(started.services.db)
    expect((await open(buyer)).problem.code).toBe('forbidden')
    expect((await open(first, { reason: '' })).problem.errors).toMatchObject([{ path: 'reason' }])
    expect((await open(first, { refundAddress: 'bc1q' })).problem.errors).toMatchObject([
      { path: 'refundAddress' },
    ])
  })
})

test('a member requests what was received for a canceled order, also without a withdrawal period', async () => {
  const { started, first, buyer, id, change } = await anUnderpaidOrder({}, '0.01')
  const read = async () => (await started.call(api.getWithdrawalRight, { params: { id } }, as(buyer))).body
  expect((await read()).canRequest).toBe(false)
  expect((await change(first, { status: 'cancelled', reason: 'Wrong buyer.' })).status).toBe(200)
  expect(await read()).toMatchObject({ canRequest: true, until: null, days: 0 })
  const asked = await started.call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress } },
    as(buyer),
  )
  expect(asked.body.state).toBe('requested')
})

describe('the refund address that finance entered', () => {
  const own = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'
  const ask = ({ started, buyer, id }: Scene, body: object = { refundAddress: own }) =>
    started.call(api.requestWithdrawal, { params: { id }, body }, as(buyer))
  const stepsOf = async ({ started, first, id }: Scene) =>
    (await started.call(api.getConsoleOrder, { params: { id } }, as(first))).body.steps
  const right = async ({ started, buyer, id }: Scene) =>
    (await started.call(api.getWithdrawalRight, { params: { id } }, as(buyer))).body
  const audited = ({ started, id }: Scene, action: string) =>
    started.services.db
      .selectFrom('audit_entry')
      .select('detail')
      .where('action', '=', action as never)
      .where('subject_id', '=', id)
      .execute()

  test('is in the order’s history, with who entered it, and in the audit log', async () => {
    const scene = await anUnderpaidOrder()
    expect((await scene.open()).status).toBe(200)
    expect((await stepsOf(scene)).at(-1)).toMatchObject({
      kind: 'refund_opened',
      by: { id: scene.first.id },
      changes: [{ field: 'refundAddress', before: null, after: refundAddress }],
    })
    expect(await audited(scene, 'refund-opened')).toMatchObject([
      { detail: { changes: [`refundAddress: – → ${refundAddress}`] } },
    ])
  })

  test('is replaced by the member’s own, which finance is told and which ends a proposal', async () => {
    const scene = await anUnderpaidOrder()
    const { started, first, second, buyer, accept, refund, read } = scene
    await scene.open()
    expect((await accept(first)).body.proposal?.act).toBe('accept')
    expect(await right(scene)).toMatchObject({ canRequest: true })
    expect((await ask(scene, { refundAddress: own, note: 'Mine.' })).body).toMatchObject({
      state: 'requested',
      refundAddress: own,
      note: 'Mine.',
    })
    expect((await read())?.proposal?.counts).toBe(false)
    expect((await stepsOf(scene)).at(-1)).toMatchObject({
      kind: 'withdrawal_requested',
      by: { id: buyer.id },
      changes: [{ field: 'refundAddress', before: refundAddress, after: own }],
    })
    expect(await audited(scene, 'withdrawal-requested')).toMatchObject([
      { detail: { changes: [`refundAddress: ${refundAddress} → ${own}`] } },
    ])
    expect((await started.mailsTo(second.email)).at(-1)?.kind).toBe('staff-withdrawal')
    expect((await started.mailsTo(buyer.email)).at(-1)).toMatchObject({
      kind: 'order-withdrawal-received',
      text: expect.stringContaining(own),
    })
    // The member's own address stays.
    expect(await right(scene)).toMatchObject({ canRequest: false })
    expect((await ask(scene)).status).toBe(200)
    expect((await ask(scene, { refundAddress })).problem.code).toBe('conflict')
    for (const by of [first, second]) expect((await accept(by)).status).toBe(200)
    // Finance still opened it, so one person can't record it.
    expect((await refund(first)).body.state).toBe('accepted')
    expect((await refund(second)).body.state).toBe('refunded')
    expect((await ask(scene, { refundAddress })).problem.code).toBe('conflict')
  })

  test('is replaced while an accepted refund is not recorded, but not after a refusal', async () => {
    const accepted = await anUnderpaidOrder({}, '0.01')
    await accepted.open(accepted.first, { refundAddress: '' })
    expect((await accepted.accept(accepted.first)).body.state).toBe('accepted')
    expect((await ask(accepted, {})).problem.errors).toMatchObject([{ path: 'refundAddress' }])
    expect((await ask(accepted)).body).toMatchObject({ state: 'accepted', refundAddress: own })
    const refused = await anUnderpaidOrder({}, '0.01')
    await refused.open()
    const { id } = (await refused.read())!
    const body = { reason: 'Sent by someone else.' }
    await refused.started.call(api.refuseWithdrawal, { params: { id }, body }, as(refused.first))
    expect((await ask(refused)).problem.code).toBe('conflict')
  })

  test('is replaced only after step-up authentication, and only with a valid address', async () => {
    const scene = await anUnderpaidOrder({}, '0.01')
    await scene.open()
    expect((await ask(scene, { refundAddress: 'bc1q' })).problem.errors).toMatchObject([
      { path: 'refundAddress' },
    ])
    await letProofAge(scene.started, scene.buyer)
    expect((await ask(scene)).problem.code).toBe('step_up_required')
    expect((await scene.read())?.withdrawal.refundAddress).toBe(refundAddress)
  })
})

describe('a refund that finance starts again', () => {
  const otherAddress = 'bc1q7cyrfmck2ffu2ud3rn5l5a8yv6f0chkp0zpemf'

  /** A canceled order whose member gave a refund address before finance declined the withdrawal. */
  async function aDeclinedWithdrawal() {
    const started = await startApi({ WITHDRAWAL_DAYS: '14' })
    const officer = await aSignedInMember(started, { manage_finance: 2 })
    const buyer = await aBuyer(started)
    const { _id: id } = await anOrderOf(started, buyer)
    const change = (body: object) =>
      started.call(api.updateOrder, { body: { _id: id, ...body } }, as(officer))
    const params = { id }
    const request = (body: object = { refundAddress }) =>
      started.call(api.requestWithdrawal, { params, body }, as(buyer))
    const read = async () =>
      (await started.call(api.getConsoleWithdrawal, { params }, as(officer))).body.withdrawal!
    return {
      change,
      request,
      read,
      right: async () => (await started.call(api.getWithdrawalRight, { params }, as(buyer))).body,
      steps: async () => (await started.call(api.getConsoleOrder, { params }, as(officer))).body.steps,
      open: (body: object = {}) =>
        started.call(api.openRefund, { params, body: { reason: 'To send back.', ...body } }, as(officer)),
      decline: async () =>
        started.call(
          api.refuseWithdrawal,
          { params: { id: (await read()).id }, body: { reason: 'Not now.' } },
          as(officer),
        ),
    }
  }

  test('keeps the address that the member entered', async () => {
    const { change, request, right, open, decline } = await aDeclinedWithdrawal()
    await change({ paidAmount: '0.5', reason: 'Seen.' })
    expect((await request()).status).toBe(200)
    await decline()
    await change({ status: 'cancelled', reason: 'Declined.' })
    expect((await open()).status).toBe(200)
    await decline()
    expect((await open({ refundAddress: otherAddress })).problem.errors).toMatchObject([
      { path: 'refundAddress', code: 'mismatch' },
    ])
    expect((await open()).status).toBe(200)
    expect((await right()).withdrawal).toMatchObject({ refundAddress })
  })

  test.each([
    ['another address than finance', otherAddress],
    ['the same address as finance', refundAddress],
  ])('keeps the address of a member who canceled the unpaid order, with %s', async (_, ofFinance) => {
    const { change, request, right, open, decline, steps } = await aDeclinedWithdrawal()
    await change({ paidAmount: '0.5', reason: 'Seen.' })
    expect((await open({ refundAddress: ofFinance })).status).toBe(200)
    await decline()
    await change({ paidAmount: null, reason: 'It belongs to another order.' })
    expect((await request()).body).toMatchObject({ state: 'unpaid', refundAddress })
    expect((await steps()).at(-1)).toMatchObject({
      kind: 'withdrawn',
      changes: [{ field: 'refundAddress', before: null, after: refundAddress }],
    })
    await change({ paidAmount: '0.5', reason: 'It came late.' })
    for (let round = 1; round <= 2; round += 1) {
      expect((await open({ refundAddress: otherAddress })).problem.errors).toMatchObject([
        { path: 'refundAddress', code: 'mismatch' },
      ])
      expect((await open()).status).toBe(200)
      expect((await right()).withdrawal).toMatchObject({ refundAddress })
      await decline()
    }
  })

  test('keeps the address that the member entered before canceling the unpaid order without one', async () => {
    const { change, request, open, decline } = await aDeclinedWithdrawal()
    await change({ paidAmount: '0.5', reason: 'Seen.' })
    expect((await open({ refundAddress: otherAddress })).status).toBe(200)
    expect((await request()).body).toMatchObject({ state: 'requested', refundAddress })
    await decline()
    await change({ paidAmount: null, reason: 'It belongs to another order.' })
    expect((await request({})).body).toMatchObject({ state: 'unpaid', refundAddress })
    await change({ paidAmount: '0.5', reason: 'It came late.' })
    expect((await open({ refundAddress: otherAddress })).problem.errors).toMatchObject([
      { path: 'refundAddress', code: 'mismatch' },
    ])
  })

  test('and declines leaves the member their right of withdrawal', async () => {
    const { change, request, right, open, decline } = await aDeclinedWithdrawal()
    await change({ paidAmount: '0.5', reason: 'Seen.' })
    expect((await open({ refundAddress: otherAddress })).status).toBe(200)
    await decline()
    expect((await right()).canRequest).toBe(true)
    expect((await request()).body).toMatchObject({ state: 'requested', refundAddress })
    await decline()
    expect((await right()).canRequest).toBe(false)
    expect((await request()).problem.code).toBe('conflict')
  })

  test('and declines leaves this right even if the member entered the refund address', async () => {
    const { change, request, right, open, decline } = await aDeclinedWithdrawal()
    await change({ paidAmount: '0.5', reason: 'Seen.' })
    expect((await open({ refundAddress: otherAddress })).status).toBe(200)
    expect((await request()).body).toMatchObject({ state: 'requested', refundAddress })
    await decline()
    expect((await right()).canRequest).toBe(true)
    expect((await request()).body).toMatchObject({ state: 'requested', refundAddress })
    await decline()
    expect((await right()).canRequest).toBe(false)
    expect((await request()).problem.code).toBe('conflict')
  })

  test('and declines doesn’t count toward the limit of the member’s requests', async () => {
    const { change, request, right, open, decline } = await aDeclinedWithdrawal()
    await change({ paidAmount: '0.5', reason: 'Seen.' })
    await change({ status: 'cancelled', reason: 'Wrong buyer.' })
    for (let round = 1; round <= 3; round += 1) {
      expect((await open()).status).toBe(200)
      expect((await request()).body).toMatchObject({ state: 'requested', refundAddress })
      await decline()
    }
    expect((await right()).canRequest).toBe(true)
    expect((await request()).body).toMatchObject({ state: 'requested', refundAddress })
  })
})
