import { beginningOf } from '../../../platform/text/order-reference.ts'
import { createHash } from 'node:crypto'
import brand from '#content/brand.json' with { type: 'json' }
import { parseDecimal, isBeyondTolerance, shortDecimal } from '#contract/platform/decimal.ts'
import type { ImportProblem } from '#contract/money/import-payments.ts'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { ImportLine, ReadLines } from './read-lines.ts'
import {
  listCandidates,
  type Candidate,
  listKnown,
  type About,
  type KnownLine,
  type StatementLineRow,
} from './statement-line.queries.ts'
import { transactionKey } from '../payment.rules.ts'
import { canBecome, isSameReading } from './stored-line.rules.ts'
import { targetOf } from '../../../platform/chain-keys/account-key.ts'
import { chainOf, type ChainSetting } from '../../../platform/config/read-chains.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { OrderRow } from '../order.queries.ts'
import { findNamedBy } from '../order-history.queries.ts'
import { readOnChain, type OnChain } from './returned-payment.queries.ts'

/** How a line was matched to its order. `shared`: only a suggestion, because others can pay to this address too. */
type MatchedBy = 'reference' | 'own_address' | 'transaction' | 'shared'
/**
 * The order that a line matches. `shared_address` without an order: several orders use this address and nothing
 * identifies the right one.
 */
export type Match =
  | { orderId: string; by: MatchedBy }
  | { problem: 'unknown_order' | 'ambiguous' | 'shared_address' }

const prefixed = new RegExp(
  `${brand.ticker.replaceAll(/[^\p{L}\p{N}]+/gu, '\\P{L}*')}[-\\s]?([0-9A-F]{5})[-\\s]?([0-9A-F]{5})(?![0-9A-F])`,
  'giu',
)

/** Returns the order references in a text: the whole text, or parts that start with our ticker. */
export function referencesIn(text: string): string[] {
  const whole = beginningOf(text)
  if (whole?.length === 10) return [whole]
  return [...new Set([...text.matchAll(prefixed)].map(([, a = '', b = '']) => `${a}${b}`.toUpperCase()))]
}

/** Returns the letters and digits of a text. */
export const charactersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

const anywhere = new RegExp(`(?=${charactersOf(brand.ticker)}([0-9A-F]{10}))`, 'gu')

/**
 * Returns everything in the texts that may be an order reference, regardless of separators and of what follows. Banks
 * wrap the text of a returned payment, or print it between codes. This is good enough to stop an order, but not to
 * record its payment.
 */
export const referencesAnywhere = (texts: readonly string[]): string[] => [
  ...new Set([...charactersOf(texts.join(' ')).matchAll(anywhere)].map(([, digits = '']) => digits)),
]

/**
 * Matches each line to an order: by its reference, else by an address that only this order has, else by its
 * transaction. At an address that several orders share, an equal amount is only a suggestion: members choose their
 * amounts, so anyone could order for exactly what someone else paid.
 */
export async function matchOrders(db: Tx, lines: readonly ImportLine[]): Promise<Map<ImportLine, Match>> {
  const references = new Map(lines.map((line) => [line, line.references]))
  const candidates = await listCandidates(db, {
    references: [...references.values()].flat(),
    keys: lines.map(({ key }) => key).filter(Boolean),
    addresses: lines.map(({ address }) => address.toLowerCase()).filter(Boolean),
  })
  const by = (pick: (order: Candidate) => string) => Map.groupBy(candidates, pick)
  const byReference = by(({ reference }) => reference)
  const byKey = Map.groupBy(
    candidates.flatMap((order) => [order.tx_key, ...order.arrived_keys].map((key) => ({ key, order }))),
    ({ key }) => key,
  )
  const byAddress = by(({ receiving_address }) => receiving_address.toLowerCase())
  return new Map(
    lines.map((line) => {
      const named = references.get(line)!.flatMap((each) => byReference.get(each) ?? [])
      if (named.length > 0) return [line, matchOf(named, 'reference')]
      const there = line.address === '' ? [] : (byAddress.get(line.address.toLowerCase()) ?? [])
      const own = there.length === 1 ? there.filter((order) => order.has_own_address) : []
      if (own.length > 0) return [line, matchOf(own, 'own_address')]
      const paid = line.key === '' ? [] : (byKey.get(line.key) ?? []).map(({ order }) => order)
      if (paid.length > 0) return [line, matchOf(paid, 'transaction')]
      return [line, suggest(line, there)]
    }),
  )
}

function suggest({ amount }: ImportLine, there: readonly Candidate[]): Match {
  const waiting = there.filter(({ status }) => status === 'pending')
  const exact = waiting.filter((order) => order.amount !== null && isSame(order.amount, amount))
  if (exact.length > 0) return matchOf(exact, 'shared')
  return { problem: waiting.length > 0 ? 'shared_address' : 'unknown_order' }
}

function matchOf(found: readonly Candidate[], by: MatchedBy): Match {
  const ids = new Set(found.map(({ id }) => id))
  const [orderId] = ids
  if (orderId === undefined) return { problem: 'unknown_order' }
  return ids.size > 1 ? { problem: 'ambiguous' } : { orderId, by }
}

export const isSame = (a: string, b: string): boolean => parseDecimal(a) === parseDecimal(b)

/** Leaves out payments that are still open but can't change, and returns their number. */
export async function withoutReread(db: Tx, read: ReadLines): Promise<{ read: ReadLines; reread: number }> {
  const all = [...read.lines, ...read.bad.map(({ line }) => line)]
  const known = await listKnown(
    db,
    all.map(({ fingerprint }) => fingerprint),
  )
  const open = new Map(known.filter(({ state }) => state === 'open').map((each) => [each.fingerprint, each]))
  const isKept = (line: ImportLine): boolean => {
    const stored = open.get(line.fingerprint)
    return stored === undefined || canBecome(stored, line, 'open')
  }
  return {
    read: { ...read, lines: read.lines.filter(isKept), bad: read.bad.filter(({ line }) => isKept(line)) },
    reread: all.filter((line) => !isKept(line)).length,
  }
}

/** Debits that were stored as payments, each with the order for which it was recorded. */
type Misread = ReadonlyMap<ImportLine, readonly string[]>

/**
 * Finds debits that were stored as payments, or with other values, because another mapping read them. They get a
 * fingerprint of their own, unless the stored line is still open and can become a returned payment. Otherwise, the
 * first officer to import a debit with a wrong mapping could hide that a payment was returned.
 */
export async function findMisread(
  db: Tx,
  debits: readonly ImportLine[],
): Promise<{ debits: ImportLine[]; misread: Misread }> {
  const known = await listKnown(
    db,
    debits.flatMap(({ fingerprint, content }) => [fingerprint, content]),
  )
  const stored = new Map(known.map((each) => [each.fingerprint, each]))
  const misread = new Map<ImportLine, readonly string[]>()
  const found = debits.map((line) => {
    const same = stored.get(line.fingerprint)
    const before = same ?? stored.get(line.content)
    if (!before || (isDebit(before) && isSameReading(before, line))) return line
    const isFree = same === undefined || canBecome(same, line, 'open')
    const values = [line.reference, line.txId, line.amount, line.currency]
    const told = isFree ? line : { ...line, fingerprint: hashOf(line.fingerprint, ...values) }
    if (!isDebit(before) && before.state !== 'dismissed') misread.set(told, ordersPaidBy(before))
    return told
  })
  return { debits: found, misread }
}

const ordersPaidBy = ({ state, order_id: orderId }: KnownLine): string[] =>
  state === 'open' || orderId === null ? [] : [orderId]

const isDebit = ({ problem }: KnownLine): boolean => ['returned', 'outgoing', 'refund'].includes(problem)

/** What identifies the orders that a stored line concerns. */
export const aboutOf = ({
  order_id,
  other_order_ids,
  reference,
  tx_id,
  address,
}: Pick<StatementLineRow, 'order_id' | 'other_order_ids' | 'reference' | 'tx_id' | 'address'>): About => ({
  orderIds: [order_id ?? [], other_order_ids].flat(),
  references: [...referencesIn(reference), ...referencesAnywhere([reference])],
  key: transactionKey(tx_id),
  address,
})

export const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex')

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

/** Whether a statement gave only the date, which is read as midnight UTC. */
export const isDateOnly = (date: Date): boolean => date.getTime() % DAY === 0

/** Statements give times to the minute, or only a date. */
export function isOlder(received: Date, { created_at: placedAt }: Pick<OrderRow, 'created_at'>): boolean {
  const tolerance = isDateOnly(received) ? DAY : MINUTE
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
  if (!chain || order.receiving_address === '') return undefined
  return readOnChain(db, chain, order, { key, target: targetAt(chain, order) })
}

const targetAt = ({ kind, network }: ChainSetting, order: OrderRow): string =>
  targetOf(order.receiving_address, kind, network) ?? ''

/** Whether finance, and not only the member, named the transaction for the order. */
async function isNamedByOthers(db: Tx, order: OrderRow, key: string): Promise<boolean> {
  const by = await findNamedBy(db, order.id, key)
  return by !== null && by !== order.member_id
}
