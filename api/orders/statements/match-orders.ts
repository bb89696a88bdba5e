import brand from '#content/brand.json' with { type: 'json' }
import { parseDecimal } from '#contract/decimal.ts'
import type { Tx } from '../../db/database.ts'
import { beginningOf } from '../console/console-order.queries.ts'
import type { ImportLine } from './read-lines.ts'
import { listCandidates, type Candidate } from './statement-line.queries.ts'

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
const charactersOf = (text: string): string =>
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
  const byKey = by(({ tx_key }) => tx_key)
  const byAddress = by(({ receiving_address }) => receiving_address.toLowerCase())
  return new Map(
    lines.map((line) => {
      const named = references.get(line)!.flatMap((each) => byReference.get(each) ?? [])
      if (named.length > 0) return [line, matchOf(named, 'reference')]
      const there = line.address === '' ? [] : (byAddress.get(line.address.toLowerCase()) ?? [])
      const own = there.length === 1 ? there.filter((order) => order.has_own_address) : []
      if (own.length > 0) return [line, matchOf(own, 'own_address')]
      const paid = line.key === '' ? [] : (byKey.get(line.key) ?? [])
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

const isSame = (a: string, b: string): boolean => parseDecimal(a) === parseDecimal(b)
