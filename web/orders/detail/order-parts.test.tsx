import { renderToStaticMarkup } from 'react-dom/server'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import cn from '#content/messages/cn/orders.json'
import en from '#content/messages/en/orders.json'
import type { OrderPayment } from '#contract/orders.ts'
import { WordsProvider } from '../../i18n/words.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { PaymentInstructions } from './payment-instructions.tsx'

const show = (children: ReactNode, language: 'en' | 'cn' = 'en') =>
  renderToStaticMarkup(
    <WordsProvider value={{ language, messages: { en, cn }[language], setLanguage: async () => {} }}>
      {children}
    </WordsProvider>,
  )

const payment: OrderPayment = {
  orderId: 'o',
  reference: 'ABC-1A2B3-C4D5E',
  status: 'pending',
  payMethod: 'BTC',
  amount: '0.123456789012345678',
  receivingAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  uri: 'bitcoin:bc1q?amount=1',
  qrSvg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  txId: '',
  steps: [],
}

test('the timeline says every step with its time, and what comes next while the order waits', () => {
  const placed = { kind: 'placed', at: '2026-11-20T01:02:03.000Z' } as const
  const reported = { kind: 'payment_reported', at: '2026-11-20T02:02:03.000Z' } as const
  const cancelled = { kind: 'cancelled', at: '2026-11-20T03:02:03.000Z' } as const
  for (const [language, words] of [
    ['en', en],
    ['cn', cn],
  ] as const) {
    const waiting = show(<OrderTimeline status="pending" steps={[placed]} />, language)
    expect(waiting).toContain(words['orders.steps.placed'])
    expect(waiting).toContain(placed.at)
    expect(waiting).toContain(words['orders.steps.waitingForPayment'])
    const paid = show(<OrderTimeline status="pending" steps={[placed, reported]} />, language)
    expect(paid).toContain(words['orders.steps.waitingForFinance'])
    const over = show(<OrderTimeline status="cancelled" steps={[placed, cancelled]} />, language)
    expect(over).toContain(words['orders.steps.cancelled'])
    expect(over).not.toContain('aria-current')
  }
})

test('the amount is shown to the last digit, the code as a picture with words, the link for a wallet', () => {
  const html = show(<PaymentInstructions payment={payment} />)
  expect(html).toContain('0.123456789012345678 BTC')
  expect(html).toMatch(/<img src="data:image\/svg\+xml,%3Csvg[^"]*" alt="[^"]*bitcoin:bc1q\?amount=1"/)
  expect(html).toContain('href="bitcoin:bc1q?amount=1"')
  expect(html).not.toContain('<details')
})

test('once the payment is reported the way to pay is folded, so that nobody pays twice', () => {
  expect(show(<PaymentInstructions payment={{ ...payment, txId: 'a' }} />)).toMatch(/^<details(?! open)/)
})

test('without an address nothing can be copied, and it is said', () => {
  const html = show(
    <PaymentInstructions payment={{ ...payment, receivingAddress: '', uri: null, qrSvg: null }} />,
  )
  expect(html).toContain(en['orders.pay.none'])
  expect(html).not.toMatch(/<button|<img/)
})
