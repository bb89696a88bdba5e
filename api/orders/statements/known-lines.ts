import { createHash } from 'node:crypto'
import { isAssignable } from '#contract/statements.ts'
import type { Tx } from '../../db/database.ts'
import { transactionKey } from '../transaction-key.ts'
import { referencesIn } from './match-orders.ts'
import type { BadLine, ImportLine, ReadLines } from './read-lines.ts'
import { listKnown, type About, type StatementLineRow } from './statement-line.queries.ts'
import { canBecome } from './stored-line.rules.ts'

/**
 * Finds lines that look like a line of another file. The same payment may be in two files, or the same person may have
 * paid twice, so a person decides. Lines with a transaction or a bank reference aren't doubtful: those identify the
 * payment.
 */
export async function findLookalikes(db: Tx, read: ReadLines, file: string): Promise<ReadLines> {
  const all = [...read.lines, ...read.bad.map(({ line }) => line), ...read.debits]
  const stored = new Map(
    (
      await listKnown(
        db,
        all.flatMap(({ fingerprint, content }) => [fingerprint, content]),
      )
    ).map((each) => [each.fingerprint, each]),
  )
  const isLookalike = (line: ImportLine): boolean => {
    const same = stored.get(line.fingerprint)
    if (line.key !== '' || line.fingerprint !== line.content) return !same && stored.has(line.content)
    return same !== undefined && same.file_hash !== file
  }
  const told = (line: ImportLine): ImportLine =>
    isLookalike(line) ? { ...line, fingerprint: hashOf(line.content, file) } : line
  const doubtful = (line: ImportLine): BadLine => ({
    line: told(line),
    problem: { line: line.line, column: '', problem: 'looks_imported', value: line.amount.slice(0, 60) },
    orderId: stored.get(line.content)?.order_id ?? null,
  })
  return {
    ...read,
    lines: read.lines.filter((line) => !isLookalike(line)),
    bad: [
      ...read.bad.map((each) => {
        if (!isLookalike(each.line)) return each
        // Whether the line can be assigned must not change.
        const { amount } = each.line
        return isAssignable({ problem: each.problem.problem, amount })
          ? doubtful(each.line)
          : { ...each, line: told(each.line) }
      }),
      ...read.lines.filter(isLookalike).map(doubtful),
    ],
    debits: read.debits.map(told),
  }
}

/** Leaves out lines that are still open but can't change, and returns their number. */
export async function withoutReread(db: Tx, read: ReadLines): Promise<{ read: ReadLines; reread: number }> {
  const all = [...read.lines, ...read.bad.map(({ line }) => line), ...read.debits]
  const known = await listKnown(
    db,
    all.map(({ fingerprint }) => fingerprint),
  )
  const open = new Map(known.filter(({ state }) => state === 'open').map((each) => [each.fingerprint, each]))
  const isKept = (line: ImportLine): boolean => {
    const stored = open.get(line.fingerprint)
    return stored === undefined || canBecome(stored, line, 'open')
  }
  const debits = read.debits.filter(isKept)
  return {
    read: {
      ...read,
      lines: read.lines.filter(isKept),
      bad: read.bad.filter(({ line }) => isKept(line)),
      debits,
      ignored: read.ignored - (read.debits.length - debits.length),
    },
    reread: all.filter((line) => !isKept(line)).length,
  }
}

/** What identifies the orders that a stored line concerns. */
export const aboutOf = ({
  order_id,
  other_order_ids,
  reference,
  tx_id,
  address,
}: Pick<StatementLineRow, 'order_id' | 'other_order_ids' | 'reference' | 'tx_id' | 'address'>): About => ({
  orderIds: [order_id ?? [], other_order_ids].flat(),
  references: referencesIn(reference),
  key: transactionKey(tx_id),
  address,
})

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex')
