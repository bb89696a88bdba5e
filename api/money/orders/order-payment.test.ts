import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { name } from '#content/brand.json'
import { api } from '#contract/api.ts'
import {
  anOrder,
  aSale,
  aSignedInMember,
  proveIdentity,
  saleSettings,
  type TestMember,
} from '#tests/builders.ts'
import { updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
beforeEach(() => aSale(started))

async function aPlacedOrder(payMethod = 'BTC', amount = '0.5') {
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  const { body: quote } = await call(
    api.createQuote,
    { body: { payMethod, amount } },
    { token: member.token },
  )
  const { body: order } = await call(
    api.createOrder,
    { body: { quoteId: quote.quoteId } },
    { token: member.token },
  )
  return { member, order }
}

const payment = (by: TestMember, id: string) =>
  call(api.getOrderPayment, { params: { id } }, { token: by.token })
const report = (by: TestMember, id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
const decide = (id: string, status: 'completed' | 'cancelled') =>
  updatePaid(started, { _id: id, status }, finance)
const kindsTo = async (member: TestMember) =>
  (await mailsTo(member.email)).map(({ kind }) => kind).filter((kind) => kind.startsWith('order-'))

const [btc, eth] = saleSettings().payMethods.map(({ receivingAddress }) => receivingAddress) as [
  string,
  string,
]
const btcId = 'A1'.repeat(32)
const ethId = `0x${'B2'.repeat(32)}`
/** Returns a new transaction ID each time. */
const aTxId = () => randomBytes(32).toString('hex').toUpperCase()

test('a Bitcoin order uses BIP-21, and its QR code says the same', async () => {
  const { member, order } = await aPlacedOrder('BTC', '0.50')
  const { body } = await payment(member, order._id)
  expect(body).toEqual({
    orderId: order._id,
    memberId: member.id,
    reference: order.reference,
    status: 'pending',
    name: 'Sample Person',
    payMethod: 'BTC',
    amount: '0.5',
    currency: 'BTC',
    payBefore: order.payBefore,
    receivingAddress: btc,
    uri: `bitcoin:${btc}?amount=0.5&label=${encodeURIComponent(name)}&message=${encodeURIComponent(`${name} ${order.reference}`)}`,
    qrSvg: expect.stringMatching(/^<svg [\s\S]*<\/svg>$/),
    txId: '',
    canWithdraw: true,
    isBeingWithdrawn: false,
    hasRecordedPayment: false,
    receivedAmount: null,
    displayRates: [],
    steps: [{ kind: 'placed', at: order.createdAt, reason: '', txId: '' }],
  })
})

test('an Ethereum order uses EIP-681, in wei', async () => {
  const { member, order } = await aPlacedOrder('ETH', '1.000000000000000001')
  expect((await payment(member, order._id)).body).toMatchObject({
    amount: '1.000000000000000001',
    uri: `ethereum:${eth}@1?value=1000000000000000001`,
  })
})

test('other payments have an address with a QR code, and no link', async () => {
  const method = {
    ...saleSettings().payMethods[0]!,
    code: 'Bank',
    chain: 'other' as const,
    receivingAddress: 'IBAN 1',
  }
  await aSale(started, { payMethods: [method] })
  const { member, order } = await aPlacedOrder('Bank')
  expect((await payment(member, order._id)).body).toMatchObject({
    receivingAddress: 'IBAN 1',
    uri: null,
    qrSvg: expect.stringContaining('<svg'),
  })
  expect((await report(member, order._id, 'Transfer of today')).body.txId).toBe('Transfer of today')
})

test('an older order, or one without settings, shows no address', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id)
  expect((await payment(member, id)).body).toMatchObject({ receivingAddress: '', uri: null, qrSvg: null })
})

test('a new receiving address does not change placed orders', async () => {
  const { member, order } = await aPlacedOrder()
  const moved = { ...saleSettings().payMethods[0]!, receivingAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }
  await aSale(started, { payMethods: [moved] })
  expect((await payment(member, order._id)).body.receivingAddress).toBe(btc)
})

test('an order moved to another payment method shows that method’s address', async () => {
  const { member, order } = await aPlacedOrder()
  const move = (payMethod: string) =>
    call(
      api.updateOrder,
      { body: { _id: order._id, payMethod, confirmsQuantity: true, reason: 'Paid in another coin.' } },
      { token: finance.token },
    )
  await move('BTC')
  expect((await payment(member, order._id)).body.receivingAddress).toBe(btc)
  await move('ETH')
  expect((await payment(member, order._id)).body).toMatchObject({
    payMethod: 'ETH',
    receivingAddress: eth,
    uri: expect.stringContaining(eth),
  })
  expect((await report(member, order._id, ethId)).status).toBe(200)
})

test('reports, corrects, and reviews a payment, each with its time and email', async () => {
  const { member, order } = await aPlacedOrder()
  const [btcId, other] = [aTxId(), aTxId().toLowerCase()]
  expect((await report(member, order._id, ` ${btcId} `)).body).toMatchObject({
    txId: btcId.toLowerCase(),
    status: 'pending',
  })
  expect((await report(member, order._id, btcId.toLowerCase())).status).toBe(200)
  expect((await report(member, order._id, other)).body.txId).toBe(other)
  expect((await decide(order._id, 'completed')).body).toMatchObject({ status: 'completed', txId: other })
  expect((await report(member, order._id, btcId)).problem.code).toBe('conflict')
  const { body } = await payment(member, order._id)
  expect(body.steps.map(({ kind }) => kind)).toEqual([
    'placed',
    'payment_reported',
    'payment_reported',
    'completed',
  ])
  expect(body.steps.map(({ at }) => at)).toEqual(body.steps.map(({ at }) => at).toSorted())
  expect(body).toMatchObject({ receivingAddress: '', uri: null, qrSvg: null, txId: other })
  expect(await kindsTo(member)).toEqual([
    'order-placed',
    'order-payment-reported',
    'order-payment-reported',
    'order-delivery-address-needed',
  ])
  expect((await mailsTo(member.email)).at(-1)!.text).toContain('60000')
})

test('a canceled order says so once, and shows no address', async () => {
  const { member, order } = await aPlacedOrder()
  await decide(order._id, 'cancelled')
  await decide(order._id, 'cancelled')
  expect((await payment(member, order._id)).body).toMatchObject({ status: 'cancelled', receivingAddress: '' })
  expect(await kindsTo(member)).toEqual(['order-placed', 'order-cancelled'])
})

test.each([
  ['BTC', btcId.slice(1)],
  ['BTC', `0x${btcId}`],
  ['BTC', `${btcId.slice(1)}g`],
  ['ETH', ethId.slice(2)],
  ['ETH', `${ethId}0`],
  ['ETH', btcId],
])('a transaction of %s is not called %s', async (payMethod, txId) => {
  const { member, order } = await aPlacedOrder(payMethod, '1')
  expect((await report(member, order._id, txId)).problem.errors).toMatchObject([
    { path: 'txId', code: 'tx_id' },
  ])
  expect((await payment(member, order._id)).body.txId).toBe('')
})

test('another member’s order can be neither reported on nor seen', async () => {
  const { order } = await aPlacedOrder()
  const other = await aSignedInMember(started)
  expect((await report(other, order._id, btcId)).problem.code).toBe('not_found')
  expect((await report(finance, order._id, btcId)).problem.code).toBe('not_found')
  expect((await payment(other, order._id)).problem.code).toBe('forbidden')
  expect((await payment(other, 'nothing')).problem.code).toBe('forbidden')
  expect((await payment(finance, order._id)).status).toBe(200)
})

test('an order entered as completed is emailed to its member, and its end is in the timeline', async () => {
  const member = await aSignedInMember(started)
  const { body } = await call(
    api.createOrder,
    {
      body: {
        memberId: member.id,
        payMethod: 'BTC',
        amount: 1,
        fabQty: 2,
        status: 'completed',
        reason: 'Paid before.',
      },
    },
    { token: finance.token },
  )
  expect((await payment(member, body._id)).body.steps.map(({ kind }) => kind)).toEqual([
    'placed',
    'completed',
  ])
  expect(await kindsTo(member)).toEqual(['order-delivery-address-needed'])
})

test('logs a report without the transaction', async () => {
  const { member, order } = await aPlacedOrder()
  const btcId = aTxId()
  await report(member, order._id, btcId)
  const entries = await services.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('subject_id', '=', order._id)
    .execute()
  expect(entries.map(({ action }) => action)).toEqual(['order-created', 'order-payment-reported'])
  expect(JSON.stringify(entries).toLowerCase()).not.toContain(btcId.toLowerCase())
})
