import { createHash } from 'node:crypto'
import { isAssignable } from '#contract/statements.ts'
import type { Tx } from '../../db/database.ts'
import { transactionKey } from '../transaction-key.ts'
import { referencesIn } from './match-orders.ts'
import type { BadLine, ImportLine, ReadLines } from './read-lines.ts'
import { listKnown, type About, type KnownLine, type StatementLineRow } from './statement-line.queries.ts'
import { canBecome, isSame } from './stored-line.rules.ts'

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
        // A doubt must not change whether the line can be assigned.
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
export type Misread = ReadonlyMap<ImportLine, readonly string[]>

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
    if (!before || (isDebit(before) && isSame(before, line))) return line
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
  references: referencesIn(reference),
  key: transactionKey(tx_id),
  address,
})

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex')
