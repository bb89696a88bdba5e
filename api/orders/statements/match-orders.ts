import brand from '#content/brand.json' with { type: 'json' }
import { parseDecimal } from '#contract/decimal.ts'
import type { Tx } from '../../db/database.ts'
import { beginningOf } from '../console/console-order.queries.ts'
import type { ImportLine } from './read-lines.ts'
import { listCandidates, type Candidate } from './statement-line.queries.ts'

/** The order that a line pays; `unknown_order` where none is found, `ambiguous` where several may be meant. */
export type Match = { orderId: string } | { problem: 'unknown_order' | 'ambiguous' }

const prefixed = new RegExp(
  `${brand.ticker.replaceAll(/[^\\w]/g, '')}[-\\s]?([0-9A-F]{5})[-\\s]?([0-9A-F]{5})(?![0-9A-F])`,
  'gi',
)

/** The references of orders in a text: all of it, or what begins with our ticker. */
export function referencesIn(text: string): string[] {
  const whole = beginningOf(text)
  if (whole?.length === 10) return [whole]
  return [...new Set([...text.matchAll(prefixed)].map(([, a = '', b = '']) => `${a}${b}`.toUpperCase()))]
}

/**
 * Finds the order of each line: by its reference, else its transaction, else the address that received it. The amount decides between orders at one
 * address and never matches alone: two members may owe the same.
 */
export async function matchOrders(db: Tx, lines: readonly ImportLine[]): Promise<Map<ImportLine, Match>> {
  const references = new Map(lines.map((line) => [line, referencesIn(line.reference)]))
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
      const paid = line.key === '' ? [] : (byKey.get(line.key) ?? [])
      const there = (line.address === '' ? [] : (byAddress.get(line.address.toLowerCase()) ?? [])).filter(
        (order) => order.status === 'pending',
      )
      const exact = there.filter(
        ({ amount }) => amount !== null && parseDecimal(amount) === parseDecimal(line.amount),
      )
      const found = [named, paid, exact.length > 0 ? exact : there].find((each) => each.length > 0) ?? []
      return [line, matchOf(found)]
    }),
  )
}

function matchOf(found: readonly Candidate[]): Match {
  const ids = new Set(found.map(({ id }) => id))
  const [orderId] = ids
  if (orderId === undefined) return { problem: 'unknown_order' }
  return ids.size > 1 ? { problem: 'ambiguous' } : { orderId }
}
