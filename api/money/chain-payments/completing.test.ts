import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo } from '#tests/orders.ts'
import { startAnotherInstance } from '#tests/setup/start-api.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

test('completes automatically only exact, final, timely payments, once, with finance’s rules', async () => {
  const { started, buyer, chain, paymentOf, order, detail, actions } = await aWatchedSale({
    CHAIN_COMPLETE: 'exact',
    ORDER_TWO_PERSONS_FROM: '100000',
  })
  const [exact, less, more, large] = [await order(), await order(), await order(), await order('1')]
  const [late, twice, entered] = [await order(), await order(), await order()]
  // As entered by finance with its own amount: no quote confirms the price.
  await started.services.db.updateTable('token_order').set({ rate: null }).where('id', '=', entered).execute()
  await chain.pay({ [entered]: '0.5' })
  await chain.pay({ [exact]: '0.5' })
  await chain.pay({ [less]: '0.49999999' })
  await chain.pay({ [more]: '0.50000001' })
  await chain.pay({ [large]: '1' })
  await chain.pay({ [twice]: '0.5' })
  await chain.pay({ [twice]: '0.5' })
  await moveDeadline(started, late, -60)
  await chain.pay({ [late]: '0.5' })
  chain.mine(10)
  await chain.look()
  await chain.look()
  const states = await Promise.all(
    [exact, less, more, large, late, twice, entered].map(async (id) => [
      (await paymentOf(id)).state,
      (await detail(id)).order.status,
    ]),
  )
  expect(states).toEqual([
    ['paid', 'completed'],
    ['too_little', 'pending'],
    ['too_much', 'pending'],
    // Above the threshold, completing needs two approvals.
    ['paid', 'pending'],
    ['late', 'cancelled'],
    ['too_much', 'pending'],
    ['paid', 'pending'],
  ])
  expect(await actions(exact)).toEqual([
    'order-payment-seen by the program',
    'order-completed-by-chain by the program',
  ])
  expect(await detail(exact)).toMatchObject({ paidAmount: '0.5', difference: '0' })
  expect((await detail(late)).flags).toContain('reported_late')
  expect((await detail(large)).proposal).toBeNull()
  const mails = await orderMailsTo(started, buyer)
  expect(mails.filter((kind) => kind === 'order-delivery-address-needed')).toHaveLength(1)
})

test('completing with the payment on chain stores its amount and time, as the automatic completion does', async () => {
  const { started, chain, paymentOf, order, detail } = await aWatchedSale()
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const id = await order()
  const at = new Date(Date.now() - HOUR / 2)
  await chain.pay({ [id]: '0.5' })
  chain.mine(1, at)
  chain.mineEmpty(2)
  await chain.look()
  expect((await paymentOf(id)).state).toBe('paid')
  const completed = { _id: id, status: 'completed' as const }
  const done = await started.call(api.updateOrder, { body: completed }, { token: officer.token })
  expect(done.body.status).toBe('completed')
  expect(await detail(id)).toMatchObject({ paidAmount: '0.5', paidAt: at.toISOString(), difference: '0' })
  expect((await detail(id)).steps.at(-2)).toMatchObject({
    kind: 'payment_recorded',
    changes: expect.arrayContaining([{ field: 'paidAmount', before: null, after: '0.5' }]),
  })
})

test('only the second approval of a large order stores the payment on chain', async () => {
  const { started, chain, order, detail } = await aWatchedSale({ ORDER_TWO_PERSONS_FROM: '1' })
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.mine(3)
  await chain.look()
  const [first, second] = [
    await aSignedInMember(started, { manage_finance: 2 }),
    await aSignedInMember(started, { manage_finance: 2 }),
  ]
  const complete = ({ token }: { token: string }) =>
    started.call(api.updateOrder, { body: { _id: id, status: 'completed' } }, { token })
  expect((await complete(first)).body.status).toBe('pending')
  expect((await detail(id)).paidAmount).toBeNull()
  expect((await complete(second)).body.status).toBe('completed')
  expect((await detail(id)).paidAmount).toBe('0.5')
})

test('announcing a payment in time cannot be used to wait for a better price', async () => {
  const { chain, paymentOf, order, detail } = await aWatchedSale({ CHAIN_COMPLETE: 'exact' })
  const [soon, laterOn] = [await order(), await order()]
  const payBefore = new Date((await detail(soon)).order.payBefore!).getTime()
  await chain.pay({ [soon]: '0.5' })
  await chain.look()
  chain.mine(1, new Date(payBefore + DAY - HOUR))
  await chain.pay({ [laterOn]: '0.5' })
  await chain.look()
  chain.mine(4, new Date(payBefore + DAY + HOUR))
  await chain.look()
  await chain.look()
  for (const [id, status] of [
    [soon, 'completed'],
    [laterOn, 'pending'],
  ] as const) {
    expect((await paymentOf(id)).state).toBe('paid')
    expect((await detail(id)).order.status).toBe(status)
  }
  expect((await detail(laterOn)).flags).toContain('ready_to_complete')
})

test.each(['withdrawn', 'expired'] as const)(
  'leaves a paid order of a member whose approval is %s to a person',
  async (status) => {
    const { started, buyer, chain, paymentOf, order, detail } = await aWatchedSale({
      CHAIN_COMPLETE: 'exact',
    })
    const id = await order()
    await started.services.db
      .updateTable('kyc_application')
      .set({ status })
      .where('member_id', '=', buyer.id)
      .execute()
    await chain.pay({ [id]: '0.5' })
    chain.mine(3)
    await chain.look()
    await chain.look()
    expect((await paymentOf(id)).state).toBe('paid')
    expect((await detail(id)).order.status).toBe('pending')
    expect((await detail(id)).flags).toContain('ready_to_complete')
  },
)

test('a withdrawn order shows no address and is not ready to complete', async () => {
  const { started, buyer, chain, paymentOf, order, detail } = await aWatchedSale({ WITHDRAWAL_DAYS: '14' })
  const [less, exact] = [await order(), await order()]
  await chain.pay({ [less]: '0.4' })
  await chain.pay({ [exact]: '0.5' })
  chain.mine(3)
  await chain.look()
  expect((await paymentOf(less)).address).not.toBe('')
  expect((await detail(exact)).flags).toContain('ready_to_complete')
  const refundAddress = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
  for (const id of [less, exact]) {
    const body = { refundAddress }
    const asked = await started.call(api.requestWithdrawal, { params: { id }, body }, { token: buyer.token })
    expect(asked.body.state).toBe('requested')
    expect(await paymentOf(id)).toMatchObject({ address: '', isReadyToComplete: false })
    expect((await detail(id)).flags).not.toContain('ready_to_complete')
    const { body: shown } = await started.call(
      api.getOrderPayment,
      { params: { id } },
      { token: buyer.token },
    )
    expect(shown).toMatchObject({ receivingAddress: '', uri: null, qrSvg: null })
  }
})

test('leaves a transaction that pays two orders to a person, and counts it once', async () => {
  const { started, buyer, chain, paymentOf, order, detail } = await aWatchedSale({ CHAIN_COMPLETE: 'exact' })
  const [one, other] = [await order(), await order('0.25')]
  const txId = await chain.pay({ [one]: '0.5', [other]: '0.25' })
  chain.mine(3)
  await chain.look()
  await chain.look()
  const found = await Promise.all([one, other].map(detail))
  expect(found.map(({ order: { status } }) => status)).toEqual(['pending', 'pending'])
  // Each order was paid at its own address, and both are the member's, so no one claims someone else's payment.
  expect(found.some(({ flags }) => flags.includes('disputed'))).toBe(false)
  expect((await paymentOf(one)).received).toBe('0.5')
  expect((await paymentOf(other)).received).toBe('0.25')
  const mails = await orderMailsTo(started, buyer)
  expect(mails.filter((kind) => kind.startsWith('order-disputed'))).toEqual([])
  for (const id of [one, other])
    expect(
      (await started.call(api.reportPayment, { params: { id }, body: { txId } }, { token: buyer.token }))
        .status,
    ).toBe(200)
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  for (const [id, paidAmount] of [
    [one, '0.5'],
    [other, '0.25'],
  ] as const) {
    const body = { _id: id, status: 'completed' as const, paidAmount, reason: 'Both outputs are there.' }
    const done = await started.call(api.updateOrder, { body }, { token: officer.token })
    expect(done.body.status).toBe('completed')
  }
})

test('a transaction that pays orders of two members is disputed', async () => {
  const { started, buyer, chain, order, detail } = await aWatchedSale({ CHAIN_COMPLETE: 'exact' })
  const [one, other] = [await order(), await order('0.25')]
  const { id: memberId } = await aSignedInMember(started)
  await started.services.db
    .updateTable('token_order')
    .set({ member_id: memberId })
    .where('id', '=', other)
    .execute()
  await chain.pay({ [one]: '0.5', [other]: '0.25' })
  chain.mine(3)
  await chain.look()
  await chain.look()
  for (const id of [one, other])
    expect(await detail(id)).toMatchObject({ order: { status: 'pending', disputed: true } })
  // The member reported nothing, so the email must not say they did.
  const mails = await orderMailsTo(started, buyer)
  expect(mails.filter((kind) => kind.startsWith('order-disputed')).length).toBeLessThan(2)
  expect(mails).not.toContain('order-disputed')
})

test('naming another order’s payment for one’s own gains nothing', async () => {
  const { started, chain, paymentOf, order, detail } = await aWatchedSale({ CHAIN_COMPLETE: 'exact' })
  const id = await order()
  const thief = await aBuyer(started)
  const theirs = (await anOrderOf(started, thief))._id
  const txId = await chain.pay({ [id]: '0.5' })
  const report = await started.call(
    api.reportPayment,
    { params: { id: theirs }, body: { txId } },
    { token: thief.token },
  )
  expect(report.status).toBe(200)
  chain.mine(3)
  await chain.look()
  await chain.look()
  const seen = await started.call(api.getChainPayment, { params: { id: theirs } }, { token: thief.token })
  expect(seen.body.payment).toMatchObject({ state: 'awaited', received: '0', transactions: [] })
  expect(await paymentOf(id)).toMatchObject({ state: 'paid', isReadyToComplete: false })
  for (const each of [id, theirs])
    expect(await detail(each)).toMatchObject({ order: { status: 'pending', disputed: true } })
})

test('of two instances one polls, and nothing is counted twice', async () => {
  const { started, chain, paymentOf, order, actions } = await aWatchedSale({ CHAIN_COMPLETE: 'exact' })
  const another = await startAnotherInstance(started)
  const ids = [await order(), await order(), await order()]
  for (const id of ids) await chain.pay({ [id]: '0.5' })
  for (let round = 0; round < 5; round += 1) {
    chain.mine()
    await Promise.all([chain.look(started, 'one'), chain.look(another, 'two'), chain.look(started, 'one')])
  }
  await chain.look()
  for (const id of ids) {
    expect(await paymentOf(id)).toMatchObject({ state: 'paid', received: '0.5' })
    expect(await actions(id)).toEqual([
      'order-payment-seen by the program',
      'order-completed-by-chain by the program',
    ])
  }
})
