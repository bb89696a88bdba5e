import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSale, aSignedInMember, saleSettings } from '#tests/builders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Tokens that are delivered to one of our own addresses come back to us instead of reaching the buyer. */

const started = await startApi({}, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const [bitcoin, ether] = saleSettings().payMethods
const refused = (path: string) => ({ path, code: 'our_address' })

test('members can’t have tokens delivered to a payment address', async () => {
  const member = await aBuyer(started)
  const quoted = { payMethod: 'ETH', amount: '1' }
  const quote = (await call(api.createQuote, { body: quoted }, { token: member.token })).body
  const body = { ...quoted, quoteId: quote.quoteId, ethAddress: ether!.receivingAddress }
  const { problem } = await call(api.createOrder, { body }, { token: member.token })
  expect(problem.errors).toMatchObject([refused('ethAddress')])
})

test('members can’t give an address at which another order is paid', async () => {
  const member = await aSignedInMember(started)
  await anOrder(started, member.id, { receivingAddress: ownAddress })
  const { id } = await anOrder(started, member.id, { fabAddress: '' })
  const set = { params: { id }, body: { fabAddress: ownAddress } }
  const { problem } = await call(api.setTokenAddress, set, { token: member.token })
  expect(problem.errors).toMatchObject([refused('fabAddress')])
})

test('staff can’t enter or correct an order so that it delivers to a payment address', async () => {
  await aSale(started)
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member, 'ETH', '1')
  const by = { token: officer.token }
  const btcAddress = bitcoin!.receivingAddress
  const entered = { memberId: member.id, payMethod: 'ETH', amount: '1', btcAddress, reason: 'Agreed.' }
  expect((await call(api.createOrder, { body: entered }, by)).problem.errors).toMatchObject([
    refused('btcAddress'),
  ])
  const ethAddress = ether!.receivingAddress.toLowerCase()
  const corrected = { _id: order._id, ethAddress, reason: 'Asked by the member.' }
  expect((await call(api.updateOrder, { body: corrected }, by)).problem.errors).toMatchObject([
    refused('ethAddress'),
  ])
})
