import type { ListedChannel } from '#contract/console-official.ts'
import type { KnownRow } from './known-entry.queries.ts'

export const presentKnown = (row: KnownRow): ListedChannel => ({
  id: row.id,
  standing: row.standing,
  kind: row.kind,
  value: row.value,
  note: row.note,
  evidence: row.evidence,
  addedAt: row.added_at.toISOString(),
  addedBy: row.added_by === null ? null : { id: row.added_by, name: row.author_name ?? '' },
  lastUpdated: row.updated_at.toISOString(),
  withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
})
