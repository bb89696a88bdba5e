import { eachPage } from '../db/each-page.ts'
import type { Module, Source } from '../module.ts'
import { listAuditOfMember, listAuditOfRecords } from './audit.queries.ts'
import { startSealer } from './seal-audit.ts'

const pageSize = 100

/**
 * The audit log: who did what, and when. Entries contain IDs and names of fields, never their values, and are not
 * erased.
 */
export const audit = {
  personal: {
    columns: { audit_entry: { actor_id: 'remains', subject_id: 'remains', detail: 'remains' } },
    parts: {
      activity: { isList: true, read: (source) => readAudit(source, listAuditOfMember) },
      views: { isList: true, read: (source) => readAudit(source, listAuditOfRecords) },
    },
  },
  workers: [startSealer],
} satisfies Module

/** Staff are numbered instead of named, to protect their own privacy. */
async function* readAudit(
  { db, member }: Source,
  list: typeof listAuditOfMember | typeof listAuditOfRecords,
) {
  const staff: string[] = []
  const nameOf = (actorId: string | null): string => {
    if (actorId === null) return 'system'
    if (actorId === member.id) return 'you'
    if (!staff.includes(actorId)) staff.push(actorId)
    return `staff ${staff.indexOf(actorId) + 1}`
  }
  const rows = eachPage((after) => list(db, member.id, { limit: pageSize, after }))
  for await (const { at, action, actor_id, subject_kind } of rows)
    yield { at: at.toISOString(), action, on: subject_kind, by: nameOf(actor_id) }
}
