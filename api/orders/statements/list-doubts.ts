import type { ImportProblem } from '#contract/import-payments.ts'
import { isBeyondTolerance, parseDecimal, shortDecimal } from '#contract/decimal.ts'
import { DAY, MINUTE } from '#contract/durations.ts'
import { targetOf } from '../../chain-keys/account-key.ts'
import { chainOf } from '../../chains/chain-of.ts'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import type { ChainSetting } from '../../read-chains.ts'
import type { OrderRow } from '../order.queries.ts'
import { findNamedBy } from '../order-step.queries.ts'
import { transactionKey } from '../transaction-key.ts'
import { readOnChain, type OnChain } from './line-on-chain.queries.ts'
import type { Match } from './match-orders.ts'
import type { ImportLine } from './read-lines.ts'

type Doubt = { column: string; problem: ImportProblem; value: string }
type Settings = Pick<Config, 'chains' | 'orderTolerance'>
type Planned = {
  lines: readonly ImportLine[]
  matches: ReadonlyMap<ImportLine, Match>
  orders: ReadonlyMap<string, OrderRow>
}

/**
 * Lists why lines that match an order may still be someone else's payment. A person decides about those, because tokens
 * are sent for recorded payments.
 */
export async function listDoubts(
  db: Tx,
  config: Settings,
  { lines, matches, orders }: Planned,
): Promise<Map<ImportLine, Doubt>> {
  const doubts = new Map<ImportLine, Doubt>()
  for (const line of lines) {
    const match = matches.get(line)
    const order = match && 'orderId' in match ? orders.get(match.orderId) : undefined
    if (!match || !('orderId' in match) || order?.status !== 'pending') continue
    const doubt = await doubtOf(db, config, { line, order, by: match.by })
    if (doubt) doubts.set(line, doubt)
  }
  return doubts
}

type Matched = { line: ImportLine; order: OrderRow; by: Extract<Match, { orderId: string }>['by'] }

async function doubtOf(db: Tx, config: Settings, { line, order, by }: Matched): Promise<Doubt | undefined> {
  const placedAt = `${order.created_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (line.date && isOlder(line.date, order))
    return { column: 'date', problem: 'older_than_order', value: placedAt }
  if (by === 'shared') return { column: 'address', problem: 'shared_address', value: line.address }
  const onChain = await findOnChain(db, config, order, line.key)
  if (onChain && parseDecimal(onChain.confirmed) !== parseDecimal(line.amount)) {
    const value = shortDecimal(onChain.confirmed)
    return { column: line.key === '' ? 'amount' : 'txId', problem: 'differs_from_chain', value }
  }
  const unnamed = await doubtOfUnnamed(db, config, { line, order, by }, onChain)
  if (unnamed) return unnamed
  // Only the chain can also tell whether the payment is older than the order.
  return line.date || onChain ? undefined : { column: 'date', problem: 'no_date', value: '' }
}

/** Returns why a line that doesn't name the order may pay for another one. */
async function doubtOfUnnamed(
  db: Tx,
  config: Settings,
  { line, order, by }: Matched,
  onChain: OnChain | undefined,
): Promise<Doubt | undefined> {
  if (by === 'reference') return undefined
  // For a shared address, the chain proves that it was paid, but not by whom.
  if (by === 'transaction' && !onChain?.isOwn && !(await isNamedByOthers(db, order, line.key)))
    return { column: 'txId', problem: 'reported_only', value: line.txId }
  return order.amount !== null && isBeyondTolerance(config.orderTolerance, line.amount, order.amount)
    ? { column: 'amount', problem: 'other_amount', value: shortDecimal(order.amount) }
    : undefined
}

/** Whether the payment arrived before the order was placed, according to its date or the chain. */
export async function cameBefore(
  db: Tx,
  config: Settings,
  order: OrderRow,
  line: { received_at: Date | null; tx_id: string },
): Promise<boolean> {
  if (line.received_at && isOlder(line.received_at, order)) return true
  const key = transactionKey(line.tx_id)
  return key !== '' && (await findOnChain(db, config, order, key))?.isOlder === true
}

/** Statements give times to the minute, or only a date, which is read as midnight UTC. */
function isOlder(received: Date, { created_at: placedAt }: Pick<OrderRow, 'created_at'>): boolean {
  const tolerance = received.getTime() % DAY === 0 ? DAY : MINUTE
  return received.getTime() + tolerance < placedAt.getTime()
}

/** Undefined if the chain of the order's coin isn't monitored, or the order has no address to pay to. */
async function findOnChain(
  db: Tx,
  { chains }: Pick<Config, 'chains'>,
  order: OrderRow,
  key: string,
): Promise<OnChain | undefined> {
  const chain = chainOf({ chains }, order.pay_method, order.pay_chain)
  if (!chain || order.amount === null || order.receiving_address === '') return undefined
  return readOnChain(db, chain, order, { key, target: targetAt(chain, order) })
}

const targetAt = ({ kind, network }: ChainSetting, order: OrderRow): string =>
  targetOf(order.receiving_address, kind, network) ?? ''

/** Whether finance, and not only the member, named the transaction for the order. */
async function isNamedByOthers(db: Tx, order: OrderRow, key: string): Promise<boolean> {
  const by = await findNamedBy(db, order.id, key)
  return by !== null && by !== order.member_id
}
