import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anAdmin, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const addresses = ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g']
const watched = { CHAIN_BTC_URL: 'http://127.0.0.1:9', CHAIN_BTC_XPUB: zpub }

async function shown(started: TestApi, id: string, token: string) {
  const payment = await started.call(api.getOrderPayment, { params: { id } }, { token })
  const chain = await started.call(api.getChainPayment, { params: { id } }, { token })
  return { address: payment.body.receivingAddress, uri: payment.body.uri, chain: chain.body.payment }
}

test('each order has its own address wherever it is shown', async () => {
  const started = await startApi(watched)
  const buyer = await aBuyer(started)
  for (const address of addresses) {
    const order = await anOrderOf(started, buyer)
    const found = await shown(started, order._id, buyer.token)
    expect(found).toMatchObject({
      address,
      chain: { orderId: order._id, coin: 'BTC', address, isOwnAddress: true, due: '0.5', received: '0' },
    })
    expect(found.chain).toMatchObject({ state: 'awaited', transactions: [], isReadyToComplete: false })
    expect(found.uri).toContain(`bitcoin:${address}?amount=0.5`)
  }
  const other = await anOrderOf(started, buyer, 'ETH', '2')
  expect((await shown(started, other._id, buyer.token)).chain).toBeNull()
})

test('concurrent orders get different addresses', async () => {
  const started = await startApi(watched)
  const buyers: TestMember[] = []
  for (let index = 0; index < 6; index += 1) buyers.push(await aBuyer(started))
  const orders = await Promise.all(buyers.map((buyer) => anOrderOf(started, buyer)))
  const found = await Promise.all(
    orders.map(async ({ _id }, index) => (await shown(started, _id, buyers[index]!.token)).address),
  )
  expect(new Set(found).size).toBe(6)
  expect(found).toEqual(expect.arrayContaining(addresses))
})

test('owner and finance can query an order, and administrators see the chain monitors', async () => {
  const started = await startApi(watched)
  const buyer = await aBuyer(started)
  const { _id: id } = await anOrderOf(started, buyer)
  const stranger = await aSignedInMember(started)
  const officer = await aSignedInMember(started, { manage_finance: 1 })
  const admin = await anAdmin(started)
  const ask = (token: string) => started.call(api.getChainPayment, { params: { id } }, { token })
  expect((await ask(stranger.token)).problem.code).toBe('not_found')
  expect((await ask(officer.token)).problem.code).toBe('not_found')
  const evidence = await started.call(api.getOrderChainPayment, { params: { id } }, { token: officer.token })
  expect(evidence.body.payment).toMatchObject({ orderId: id, address: addresses[0], isStale: true })
  const health = await started.call(api.listChainMonitors, {}, { token: admin.token })
  expect(health.body.watchers).toEqual([
    {
      coin: 'BTC',
      kind: 'bitcoin',
      network: 'main',
      way: 'bitcoin_rpc',
      reached: false,
      height: null,
      lag: null,
      lastLookedAt: null,
      isStale: true,
      error: null,
      confirmationsNeeded: 6,
      hasOwnAddresses: true,
      firstAddress: addresses[0],
      addressesGiven: 1,
      completes: false,
    },
  ])
})

test('an order that changes its payment method gets a new address, and the old one when it returns', async () => {
  const started = await startApi(watched)
  const buyer = await aBuyer(started)
  const { _id: id } = await anOrderOf(started, buyer)
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const change = async (payMethod: string) => {
    const answer = await started.call(
      api.updateOrder,
      { body: { _id: id, payMethod, confirmsQuantity: true, reason: 'As they asked.' } },
      { token: officer.token },
    )
    expect(answer.status).toBe(200)
    return (await shown(started, id, buyer.token)).address
  }
  expect(await change('ETH')).toMatch(/^0x/)
  await anOrderOf(started, buyer)
  expect(await change('BTC')).toBe(addresses[0])
})
