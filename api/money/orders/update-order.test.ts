import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSale, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, asGift, orderMailsTo, stepsOf, updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { ownAddress } from '#tests/own-chain.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
await aSale(started)

type Body = Parameters<typeof call<typeof api.updateOrder>>[1]['body']
const update = (body: Body, by: TestMember = finance) => updatePaid(started, body, by)
const read = async (id: string) =>
  (await call(api.getOrder, { params: { id } }, { token: finance.token })).body
const report = (by: TestMember, id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
const aTxId = () => randomBytes(32).toString('hex')

async function aPlacedOrder(payMethod = 'BTC', amount = '0.5') {
  const member = await aBuyer(started)
  return { member, order: await anOrderOf(started, member, payMethod, amount) }
}

test('completing, canceling, and correcting need step-up; nothing is written without it', async () => {
  const { order } = await aPlacedOrder()
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await letProofAge(started, officer)
  for (const fields of [
    { status: 'completed' },
    { status: 'cancelled', reason: 'As agreed.' },
    { fabQty: 1, confirmsQuantity: true, reason: 'As agreed.' },
    { txId: aTxId() },
  ] as const)
    expect((await update({ _id: order._id, ...fields }, officer)).problem.code).toBe('step_up_required')
  expect(await read(order._id)).toEqual(order)
  await call(api.stepUp, { body: { password: officer.password } }, { token: officer.token })
  expect((await update({ _id: order._id, status: 'completed' }, officer)).status).toBe(200)
})

test('officers can neither complete nor correct their own order', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const { id } = await anOrder(started, officer.id)
  for (const fields of [{ status: 'completed' }, { status: 'cancelled' }, { fabQty: 9 }, {}] as const)
    expect((await update({ _id: id, ...fields }, officer)).problem.code).toBe('forbidden')
  expect((await update({ _id: id, status: 'completed' })).status).toBe(200)
})

test('a correction is in the timeline with its reason, and the member is emailed', async () => {
  const { member, order } = await aPlacedOrder()
  await update({ _id: order._id, fabQty: '59999', reason: 'Rounded as agreed.' })
  expect(await stepsOf(started, member, order._id)).toEqual(['placed', 'corrected'])
  const mail = (await mailsTo(member.email)).at(-1)!
  expect(mail).toMatchObject({ kind: 'order-corrected', text: expect.stringContaining('Rounded as agreed.') })
})

const fabAddress = ownAddress
test.each([
  { fabAddress },
  { ethAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' },
  { btcAddress: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' },
  { email: 'another@example.org' },
])('filling in where something goes is a correction: %j', async (fields) => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { payMethod: '', amount: null })
  expect((await update({ _id: id, ...fields })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  const reason = 'As the member wrote.'
  const [name] = Object.keys(fields)
  expect((await update({ _id: id, ...fields, reason, status: 'completed' })).problem.errors).toMatchObject([
    { path: name, code: 'separately' },
  ])
  expect(await stepsOf(started, member, id)).toEqual(['placed'])
  expect((await update({ _id: id, ...fields, reason })).status).toBe(200)
  expect(await stepsOf(started, member, id)).toEqual(['placed', 'corrected'])
  expect(await orderMailsTo(started, member)).toEqual(['order-corrected'])
  expect((await update({ _id: id, status: 'completed', reason })).status).toBe(200)
})

test.each([{ amount: '7' }, { fabQty: '7' }, { payMethod: 'BTC' }])(
  'missing fields of an order without a quote are set without a reason, also while completing: %j',
  async (fields) => {
    const member = await aSignedInMember(started)
    const { id } = await anOrder(started, member.id, { payMethod: '', amount: null })
    expect((await update({ _id: id, ...fields })).status).toBe(200)
    expect(await stepsOf(started, member, id)).toEqual(['placed', 'corrected'])
    expect(await orderMailsTo(started, member)).toEqual(['order-corrected'])
    const other = await anOrder(started, member.id, { payMethod: '', amount: null })
    const { status, body } = await update({ _id: other.id, ...fields, ...asGift })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'completed' })
    expect(await stepsOf(started, member, other.id)).toEqual(['placed', 'completed'])
  },
)

test('a different transaction is a correction, the first one is not', async () => {
  const { member, order } = await aPlacedOrder()
  expect((await update({ _id: order._id, txId: aTxId() })).status).toBe(200)
  expect((await update({ _id: order._id, txId: aTxId() })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  expect(
    (await update({ _id: order._id, txId: aTxId(), reason: 'A typing error.', status: 'completed' })).problem
      .errors,
  ).toMatchObject([{ path: 'txId', code: 'payment_received' }])
  expect(await orderMailsTo(started, member)).toEqual(['order-placed', 'order-payment-reported'])
})

test('validates a transaction sent with another payment method by that method', async () => {
  const { order } = await aPlacedOrder('BTC')
  const change = { _id: order._id, payMethod: 'ETH', confirmsQuantity: true, reason: 'Paid in another coin.' }
  expect((await update({ ...change, txId: aTxId() })).problem.errors).toMatchObject([
    { path: 'txId', code: 'tx_id' },
  ])
  const txId = `0x${aTxId()}`
  expect((await update({ ...change, txId })).body).toMatchObject({ payMethod: 'ETH', txId, currency: 'ETH' })
})

test('correcting a closed order needs a reason', async () => {
  const { order } = await aPlacedOrder()
  await update({ _id: order._id, status: 'completed' })
  expect((await update({ _id: order._id, fabQty: '1' })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  expect((await read(order._id)).exactFabQty).toBe('60000')
  const { body } = await update({ _id: order._id, email: 'other@example.org', reason: 'A typing error.' })
  expect(body).toMatchObject({ status: 'completed', email: 'other@example.org' })
})

test('the member gets the reason of a cancellation', async () => {
  const { member, order } = await aPlacedOrder()
  await update({ _id: order._id, status: 'cancelled', reason: 'Paid from a blocked wallet.' })
  expect((await mailsTo(member.email)).at(-1)!.text).toContain('Paid from a blocked wallet.')
  const payment = await call(api.getOrderPayment, { params: { id: order._id } }, { token: member.token })
  expect(payment.body.steps.at(-1)).toMatchObject({
    kind: 'cancelled',
    reason: 'Paid from a blocked wallet.',
  })
})

test('rejects a change based on an outdated record', async () => {
  const { member, order } = await aPlacedOrder()
  await report(member, order._id, aTxId())
  expect((await update({ ...order, fabQty: '1' })).problem.code).toBe('conflict')
  const now = await read(order._id)
  expect(now).toMatchObject({ exactFabQty: '60000', txId: expect.stringMatching(/^[0-9a-f]{64}$/) })
  const sentBack = await update(now)
  expect(sentBack.body).toEqual(now)
})

test('while the sale is open, a pending order cannot move to an unknown method', async () => {
  const { order } = await aPlacedOrder()
  expect((await update({ _id: order._id, payMethod: 'DOGE' })).problem.errors).toMatchObject([
    { path: 'payMethod', code: 'one_of' },
  ])
})

const spellings = (txId: string) => [txId, txId.toUpperCase(), `0x${txId}`, ` 0X${txId.toUpperCase()} `]

test('members cannot use another order’s transaction, in any spelling', async () => {
  const [first, second, eth] = [await aPlacedOrder(), await aPlacedOrder(), await aPlacedOrder('ETH', '1')]
  const txId = aTxId()
  expect((await report(first.member, first.order._id, txId)).status).toBe(200)
  for (const written of [txId, txId.toUpperCase(), ` ${txId}\t`]) {
    const refused = await report(second.member, second.order._id, written)
    expect(refused).toMatchObject({ status: 409, problem: { code: 'conflict' } })
    expect(refused.problem.errors).toMatchObject([{ path: 'txId', code: 'tx_used' }])
  }
  expect((await report(eth.member, eth.order._id, `0x${txId}`)).problem.code).toBe('conflict')
  // The member's own order keeps it.
  expect((await report(first.member, first.order._id, txId.toUpperCase())).status).toBe(200)
  expect((await read(second.order._id)).txId).toBe('')
  const entries = await services.db
    .selectFrom('audit_entry')
    .select('action')
    .where('subject_id', '=', second.order._id)
    .where('action', '=', 'order-transaction-refused')
    .execute()
  expect(entries).toHaveLength(3)
})

test('members cannot use it even if the other order is canceled or paid by another method', async () => {
  const [first, second] = [await aPlacedOrder(), await aPlacedOrder()]
  const txId = aTxId()
  await report(first.member, first.order._id, txId)
  await update({ _id: first.order._id, status: 'cancelled' })
  expect((await report(second.member, second.order._id, txId)).problem.code).toBe('conflict')
  const wire = {
    memberId: first.member.id,
    payMethod: 'Wire',
    amount: '0.5',
    fabQty: '10',
    status: 'completed',
    reason: 'Paid before.',
  }
  for (const written of spellings(txId))
    expect(
      (await call(api.createOrder, { body: { ...wire, txId: written } }, { token: finance.token })).problem
        .code,
    ).toBe('conflict')
})

test('finance confirms a shared transaction with a reason that the member does not see', async () => {
  const [first, second] = [await aPlacedOrder(), await aPlacedOrder()]
  const txId = aTxId()
  await report(first.member, first.order._id, txId)
  const share = (fields: object) => update({ _id: second.order._id, txId, ...fields })
  expect((await share({})).problem.code).toBe('conflict')
  expect((await share({ reason: 'Paid together.' })).problem.code).toBe('conflict')
  expect((await share({ sharesTransaction: true })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  const { status, body } = await share({ sharesTransaction: true, reason: 'Paid together.' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ txId, sharesTransaction: true })
  const stepOf = async (by: TestMember) => {
    const { body } = await call(
      api.getOrderPayment,
      { params: { id: second.order._id } },
      { token: by.token },
    )
    return body.steps.find(({ kind }) => kind === 'transaction_shared')
  }
  expect(await stepOf(finance)).toMatchObject({ reason: 'Paid together.' })
  expect(await stepOf(second.member)).toMatchObject({ reason: '' })
  const found = await call(api.findOrders, { body: { txId: `0x${txId}` } }, { token: finance.token })
  expect(found.body.map(({ _id }) => _id).toSorted()).toEqual([first.order._id, second.order._id].toSorted())
  // A third order needs its own confirmation, even after the first has another transaction.
  await report(first.member, first.order._id, aTxId())
  const third = await aPlacedOrder()
  expect((await report(third.member, third.order._id, txId)).problem.code).toBe('conflict')
})

test('of ten concurrent orders with one transaction, one has it', async () => {
  const crowd = []
  for (let n = 0; n < 10; n += 1) crowd.push(await aPlacedOrder())
  const txId = aTxId()
  const answers = await Promise.all(
    crowd.map(({ member, order }, n) => report(member, order._id, spellings(txId)[n % 2]!)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)])
  const found = await call(api.findOrders, { body: { txId } }, { token: finance.token })
  expect(found.body).toHaveLength(1)
})

test('finance can only name a valid transaction', async () => {
  const { order } = await aPlacedOrder()
  expect((await update({ _id: order._id, txId: 'paid' })).problem.errors).toMatchObject([
    { path: 'txId', code: 'tx_id' },
  ])
  const txId = aTxId()
  const { body } = await update({ _id: order._id, txId: txId.toUpperCase(), status: 'completed' })
  expect(body).toMatchObject({ txId, status: 'completed' })
  // An empty value in a record that is sent back removes nothing.
  expect((await update({ _id: order._id, txId: '' })).body.txId).toBe(txId)
})
