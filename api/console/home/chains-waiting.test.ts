import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { saveChainPayment } from '#api/money/chains/chain-payment.queries.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

test('counts paid and lost payments if chains are monitored', async () => {
  const started = await startApi({ CHAIN_BTC_URL: 'http://127.0.0.1:9' })
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const { id } = await aSignedInMember(started)
  const [ready, disputed, gone] = [
    await anOrder(started, id, { txId: 'a'.repeat(64) }),
    await anOrder(started, id, { disputed: true }),
    await anOrder(started, id, { status: 'completed' }),
  ]
  const paid = { coin: 'BTC', state: 'paid', received: '0.5', isGone: false } as const
  for (const order of [ready, disputed, gone])
    await saveChainPayment(started.services.db, order.id, { ...paid, isGone: order === gone })
  const waiting = await started.call(api.listNeedsAttention, {}, { token: officer.token })
  const counts = Object.fromEntries(waiting.body.map(({ what, count }) => [what, count]))
  expect(counts).toMatchObject({ orders_ready: 1, orders_payment_gone: 1 })
  for (const [flag, order] of [
    ['ready_to_complete', ready],
    ['payment_gone', gone],
  ] as const) {
    const { body } = await started.call(api.listConsoleOrders, { query: { flag } }, { token: officer.token })
    expect(body.map((each) => each.id)).toEqual([order.id])
  }
})
