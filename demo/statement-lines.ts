import sampleSale from '#content/samples/sale.json' with { type: 'json' }
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { sampleHash, type SampleWorld } from './world.ts'
import { insertLines, type InsertedLine } from '#api/money/orders/statements/statement-line.queries.ts'

type SampleLine = Pick<
  InsertedLine,
  'state' | 'problem' | 'order_id' | 'reference' | 'amount' | 'currency' | 'sender' | 'tx_id' | 'address'
>

/** One line matches no order, one can't be read, and one was dismissed. */
const lines: readonly SampleLine[] = [
  {
    state: 'open',
    problem: 'unknown_order',
    reference: 'Token purchase, thank you',
    amount: '750',
    currency: 'USD',
    sender: 'Sample Sender One',
    tx_id: '',
    address: '',
  },
  {
    state: 'open',
    problem: 'number',
    reference: '',
    amount: 'about 0.05 BTC',
    currency: 'BTC',
    sender: '',
    tx_id: sampleHash('sample statement line'),
    address: sampleSale.payMethods[0]!.receivingAddress,
  },
  {
    state: 'dismissed',
    problem: 'unknown_order',
    reference: 'Refund of a hosting invoice',
    amount: '42.5',
    currency: 'USD',
    sender: 'Sample Hosting',
    tx_id: '',
    address: '',
  },
]

type PaidOrder = { id: string; amount: string; currency: string }

/** The bank returned the payment of an order. */
const returnOf = ({ id, amount, currency }: PaidOrder): SampleLine => ({
  state: 'open',
  problem: 'returned',
  order_id: id,
  reference: 'Return: recipient account unknown',
  amount: `-${amount}`,
  currency,
  sender: 'Sample Sender Two',
  tx_id: '',
  address: '',
})

/** Lines of one imported statement, which returns the payment of `paid`. */
export async function insertSampleLines(
  db: Tx,
  { now, operators, audit }: SampleWorld,
  paid: PaidOrder,
): Promise<void> {
  const importedAt = now - 2 * DAY
  const resolvedAt = importedAt + HOUR
  await insertLines(
    db,
    [...lines, returnOf(paid)].map((line, index) => ({
      ...line,
      line: index + 2,
      fingerprint: sampleHash(`sample statement line ${index}`),
      received_at: new Date(Math.floor((importedAt - DAY) / DAY) * DAY),
      imported_by: operators.finance2,
      imported_at: new Date(importedAt),
      ...(line.state === 'dismissed' && {
        resolved_by: operators.finance2,
        resolved_at: new Date(resolvedAt),
        reason: 'A supplier’s refund, not a payment for an order.',
      }),
    })),
  )
  audit.push({
    at: resolvedAt,
    actorId: operators.finance2,
    action: 'order-statement-line-dismissed',
    subjectKind: 'order',
    subjectId: null,
  })
}
