import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, anOrder, saleSettings } from '#tests/builders.ts'
import { aBuyer } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo } = started
const coins = await aSignedInMember(started, { manage_coins: 2 })

const { currency: _, ...coin } = saleSettings().payMethods[0]!
const bank = { ...coin, code: 'Bank', chain: 'other' as const, receivingAddress: 'IBAN 1', maxAmount: '1000' }
const set = (method: object) =>
  call(
    api.updateSaleSettings,
    {
      body: {
        isOpen: true,
        quoteMinutes: 15,
        payMethods: [{ ...bank, ...method }],
        confirmedRates: { [bank.code]: bank.rate },
      },
    },
    { token: coins.token },
  )

test.each([
  [{}, 'USD'],
  [{ currency: 'EUR' }, 'EUR'],
  [{ code: 'LTC' }, 'LTC'],
])(
  'amounts paid by %j are in %s everywhere: sale, price, order, payment, and email',
  async (method, currency) => {
    expect((await set(method)).body.payMethods[0]).toMatchObject({ currency })
    const member = await aBuyer(started)
    await set(method)
    const by = { token: member.token }
    const code = 'code' in method ? method.code : 'Bank'
    expect((await call(api.getSale, {}, by)).body.payMethods[0]).toMatchObject({ currency })
    const quote = await call(api.createQuote, { body: { payMethod: code, amount: '500' } }, by)
    expect(quote.body).toMatchObject({ currency })
    const order = await call(api.createOrder, { body: { quoteId: quote.body.quoteId } }, by)
    expect(order.body).toMatchObject({ payMethod: code, currency })
    // An order keeps the currency it was placed with.
    await set({ ...method, currency: 'CHF' })
    const payment = await call(api.getOrderPayment, { params: { id: order.body._id } }, by)
    expect(payment.body).toMatchObject({ currency })
    const mail = (await mailsTo(member.email)).find(({ kind }) => kind === 'order-placed')
    expect(mail!.text).toContain(`500 ${currency}`)
  },
)

test('older orders use their coin as currency, and others the default', async () => {
  await aSale(started)
  const member = await aSignedInMember(started)
  const currencyOf = async (payMethod: string) => {
    const { id } = await anOrder(started, member.id, { payMethod })
    return (await call(api.getOrder, { params: { id } }, { token: member.token })).body.currency
  }
  for (const coin of ['BTC', 'Bitcoin', 'USDT', 'Bitcoin Cash']) expect(await currencyOf(coin)).toBe(coin)
  for (const way of ['', 'Bank', 'bank transfer', 'Wire', 'SEPA', '银行转账'])
    expect(await currencyOf(way)).toBe('USD')
})
