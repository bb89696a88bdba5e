import { createHash } from 'node:crypto'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../db/database.ts'
import { hasUnsealed, listAuditChain } from './audit.queries.ts'

type Verdict = {
  entries: number
  /**
   * Hash of the last entry, in hexadecimal: with a copy of it, anyone can later prove that no earlier entry was
   * removed.
   */
  head: string
  /** First break in the chain; null if it is intact. */
  brokenAt: { seq: number; why: 'changed' | 'missing' | 'relinked' | 'unsealed' } | null
  /** Whether the chain contains the given hash; null if none was given. */
  hasKnown: boolean | null
}

const atOnce = 1000
/** Age at which an entry must be in the chain, in milliseconds. Sealing takes a fraction of a second. */
const sealedAfter = MINUTE

type Bounds = { upTo?: number; onSlice?: (entries: number) => Promise<void> }

/** Verifies the hash chain, and that it includes every entry that is older than a minute. */
export async function verifyAudit(db: Tx, known?: string, bounds: Bounds = {}): Promise<Verdict> {
  const verdict = await verifyChain(db, known, bounds)
  if (verdict.brokenAt || !(await hasUnsealed(db, sealedAfter))) return verdict
  return { ...verdict, brokenAt: { seq: verdict.entries + 1, why: 'unsealed' } }
}

/**
 * Recomputes the hash chain of the audit log from the first entry to the last or to `upTo`, without database functions,
 * in slices so that other work can run in between. `onSlice` receives the number of entries read so far, and can stop
 * the verification by throwing.
 */
async function verifyChain(
  db: Tx,
  known: string | undefined,
  { upTo = Infinity, onSlice }: Bounds,
): Promise<Verdict> {
  let before: Buffer = Buffer.alloc(0)
  let entries = 0
  let hasKnown = known === undefined ? null : false
  const verdict = (brokenAt: Verdict['brokenAt']) => ({
    entries,
    head: before.toString('hex'),
    brokenAt,
    hasKnown,
  })
  for (;;) {
    if (entries >= upTo) return verdict(null)
    const rows = await listAuditChain(db, entries, Math.min(atOnce, upTo - entries))
    if (rows.length === 0) return verdict(upTo === Infinity ? null : { seq: entries + 1, why: 'missing' })
    for (const row of rows) {
      const seq = entries + 1
      if (Number(row.seq) !== seq) return verdict({ seq, why: 'missing' })
      if (!row.previous.equals(before)) return verdict({ seq, why: 'relinked' })
      if (!createHash('sha256').update(row.text).digest().equals(row.hash))
        return verdict({ seq, why: 'changed' })
      before = row.hash
      entries = seq
      if (known !== undefined && before.toString('hex') === known) hasKnown = true
    }
    await onSlice?.(entries)
  }
}
