import type { ContentRelease, EndCause, SensitiveKind } from '#contract/console-content.ts'
import type { LegalDocument } from '#contract/consents.ts'
import type { Caller } from '../../http/caller.ts'
import { levelOf } from '#contract/level-of.ts'
import type { Tx } from '../../db/database.ts'
import type { ApproverRule } from '../../members/approver.queries.ts'
import { officialChanges } from './official-parts.ts'
import { whoOf } from './present-piece.ts'
import { mayConfirm } from './release-still-holds.ts'
import type { PieceChanges, ReleaseRow } from './release.queries.ts'

export async function presentRelease(
  db: Tx,
  rule: ApproverRule,
  row: ReleaseRow,
  { memberId, rights }: Caller,
): Promise<ContentRelease> {
  const isOthers = row.state === 'proposed' && row.proposed_by !== memberId && levelOf(rights, 'news') >= 2
  return { ...present(row), mayConfirm: isOthers && (await mayConfirm(db, rule, row, memberId)) }
}

const present = (row: ReleaseRow): Omit<ContentRelease, 'mayConfirm'> => ({
  id: row.id,
  state: row.state,
  pieces: (row.pieces as { piece: string }[]).map(({ piece }) => piece),
  publishAt: row.publish_at?.toISOString() ?? null,
  zone: row.publish_zone,
  by: whoOf(row.proposed_by, row.author_name),
  at: row.proposed_at.toISOString(),
  confirmedBy: whoOf(row.confirmed_by, row.second_name),
  newVersions: row.new_versions as LegalDocument[],
  sensitive: row.sensitive as SensitiveKind[],
  changesOfficial: officialChanges(row.changes as unknown as PieceChanges[]).length > 0,
  changes: row.changes as ContentRelease['changes'],
  ended: row.ended_at && {
    at: row.ended_at.toISOString(),
    by: whoOf(row.ended_by, row.ender_name),
    reason: row.reason,
    cause: row.cause as EndCause | null,
  },
})
