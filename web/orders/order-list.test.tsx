import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import cn from '#content/messages/cn/orders.json'
import en from '#content/messages/en/orders.json'
import type { Language } from '#contract/fields.ts'
import type { Order } from '#contract/orders.ts'
import { WordsProvider } from '../i18n/words.tsx'
import { OrderList } from './order-list.tsx'

let count = 0
const textOf = (value: number | null | undefined) => (value == null ? null : String(value))
const order = (fields: Partial<Order>): Order => ({
  _id: `o${(count += 1)}`,
  memberId: 'm',
  email: 'a@b.example',
  ethAddress: '',
  btcAddress: '',
  fabAddress: '',
  payMethod: 'BTC',
  amount: 1,
  fabQty: 1,
  status: 'completed',
  exactAmount: '1',
  exactFabQty: fields.fabQty === undefined ? '1' : textOf(fields.fabQty),
  rate: null,
  reference: 'ABC-1A2B3-C4D5E',
  txId: '',
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  ...fields,
})

const show = (orders: Order[], language: Language = 'en') =>
  renderToStaticMarkup(
    <WordsProvider value={{ language, messages: { en, cn }[language], setLanguage: async () => {} }}>
      <OrderList orders={orders} />
    </WordsProvider>,
  )
const rows = (html: string) => html.split('<tbody')[1]?.split('<tr').length ?? 1

test('a row appears only for an order with a pay method; the total counts all that are completed', () => {
  const html = show([
    order({ fabQty: 0.1 }),
    order({ fabQty: 0.2, payMethod: '' }),
    order({ fabQty: 5, status: 'pending' }),
  ])
  expect(rows(html) - 1).toBe(2)
  expect(html).toMatch(/<strong>0\.3 /)
  expect(html).toContain(en['orders.unlisted'].replace('{count}', '1'))
})

test('each row leads to its order, and figures are shown to the last digit', () => {
  const html = show([order({ _id: 'a b', fabQty: 1.5, exactFabQty: '1.500000000000000001' })])
  expect(html).toContain('href="/account/account-details?order=a+b"')
  expect(html).toContain('>ABC-1A2B3-C4D5E</a>')
  expect(html.match(/1\.500000000000000001/g)).toHaveLength(2)
})

test('without hidden orders nothing is said about them', () => {
  expect(show([order({})])).not.toContain(en['orders.unlisted'].slice(0, 10))
})

test('no order at all is said in words, and no total is shown', () => {
  const html = show([])
  expect(html).toContain(en['orders.empty'])
  expect(html).not.toContain('<table')
})

test('a quantity that is not known yet is said, and every state has its words in both languages', () => {
  const orders = (['pending', 'completed', 'cancelled'] as const).map((status) => order({ status }))
  expect(show([order({ fabQty: null })])).toContain(en['orders.unknown'])
  for (const [language, words] of [
    ['en', en],
    ['cn', cn],
  ] as const)
    for (const status of ['pending', 'completed', 'cancelled'] as const)
      expect(show(orders, language)).toContain(words[`orders.status.${status}`])
})
