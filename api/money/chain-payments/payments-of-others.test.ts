import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aChain } from '#tests/watched-sale.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { targetOf } from '../../platform/chain-keys/account-key.ts'

/* Payments to an address that were meant for someone else, and addresses that already belong to someone else. */

const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const addresses = [
  'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
  'bc1qp59yckz4ae5c4efgw2s5wfyvrz0ala7rgvuz8z',
]
const shared = { CHAIN_BTC_URL: 'http://127.0.0.1:9', CHAIN_BTC_CONFIRMATIONS: '3', CHAIN_COMPLETE: 'exact' }

const addressOf = async (started: TestApi, { token }: TestMember, id: string) =>
  (await started.call(api.getOrderPayment, { params: { id } }, { token })).body.receivingAddress
const paidTo = (started: TestApi, address: string) =>
  started.services.db
    .updateTable('pay_method')
    .set({ receiving_address: address })
    .where('code', '=', 'BTC')
    .execute()

test('reporting someone else’s payment to a shared address gains nothing', async () => {
  const started = await startApi(shared)
  const thief = await aBuyer(started)
  const chain = aChain(started)
  chain.mine(5)
  await chain.look()
  const { _id: id } = await anOrderOf(started, thief)
  const target = targetOf(await addressOf(started, thief, id), 'bitcoin', 'main') ?? ''
  const [older, theirs] = [await chain.pay({ [target]: '0.5' }), await chain.pay({ [target]: '0.5' })]
  chain.mine(3)
  await chain.look()
  await started.services.db
    .updateTable('chain_transfer')
    .set({ block_at: new Date(Date.now() - 3 * HOUR) })
    .where('tx_id', '=', older)
    .execute()
  const officer = await aSignedInMember(started, { manage_finance: 1 })
  for (const [txId, state] of [
    [older, 'awaited'],
    [theirs, 'paid'],
  ] as const) {
    const report = { params: { id }, body: { txId } }
    expect((await started.call(api.reportPayment, report, { token: thief.token })).status).toBe(200)
    await chain.look()
    const { body } = await started.call(
      api.getOrderChainPayment,
      { params: { id } },
      { token: officer.token },
    )
    // A person decides about a payment that arrived in between.
    expect(body.payment).toMatchObject({ state, isReadyToComplete: state === 'paid', isOwnAddress: false })
    const order = await started.call(api.getConsoleOrder, { params: { id } }, { token: officer.token })
    expect(order.body.order.status).toBe('pending')
  }
})

test('a payment from before the order was placed does not pay it', async () => {
  const started = await startApi({ ...shared, CHAIN_BTC_XPUB: zpub })
  const buyer = await aBuyer(started)
  const chain = aChain(started)
  chain.mine(5)
  await chain.look()
  const { _id: id } = await anOrderOf(started, buyer)
  await chain.pay({ [id]: '0.5' })
  chain.mine(3, new Date(Date.now() - 3 * HOUR))
  await chain.look()
  await chain.look()
  const stored = await started.services.db
    .selectFrom('token_order')
    .select(['status', 'tx_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(stored).toEqual({ status: 'pending', tx_id: '' })
})

test('never assigns an address that the sale or another order uses', async () => {
  const started = await startApi({ ...shared, CHAIN_BTC_XPUB: zpub })
  const buyer = await aBuyer(started)
  await paidTo(started, addresses[0]!.toUpperCase())
  const { _id: first } = await anOrderOf(started, buyer)
  expect(await addressOf(started, buyer, first)).toBe(addresses[1])
  // Counting restarts, as after a restore, and the sale's address is monitored by now.
  await aChain(started).look()
  await paidTo(started, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
  await started.services.db.updateTable('chain_account').set({ next_position: 0 }).execute()
  const { _id: second } = await anOrderOf(started, buyer)
  expect(await addressOf(started, buyer, second)).toBe(addresses[2])
})
