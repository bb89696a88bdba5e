import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

export type Verdict = {
  entries: number
  /** The hash of the last entry, in hexadecimal: whoever keeps it can later prove that nothing before it was cut off. */
  head: string
  /** Where the chain breaks first; null where it holds. */
  brokenAt: { seq: number; why: 'changed' | 'missing' | 'relinked' } | null
  /** Whether the hash to look for is in the chain, where one was given. */
  hasKnown: boolean | null
}

type Row = { seq: string; text: string; previous: Buffer; hash: Buffer }

const atOnce = 5000

/** Computes the chain of the audit log anew, from its first entry to its last. Trusts no function of the database. */
export async function verifyAudit(db: Tx, known?: string): Promise<Verdict> {
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
    const { rows } = await sql<Row>`
      select seq, previous_hash as previous, hash, jsonb_build_array(
        seq, id, extract(epoch from at)::numeric::text, actor_id, action, subject_kind, subject_id, detail,
        encode(previous_hash, 'hex'))::text as text
      from audit_entry where seq > ${entries} order by seq limit ${atOnce}`.execute(db)
    if (rows.length === 0) return verdict(null)
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
  }
}
