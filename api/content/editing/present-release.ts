import type { ContentRelease, EndCause, SensitiveKind } from '#contract/console-content.ts'
import type { LegalDocument } from '#contract/consents.ts'
import type { Caller } from '../../http/caller.ts'
import { levelOf } from '#contract/level-of.ts'
import { whoOf } from './present-piece.ts'
import type { ReleaseRow } from './release.queries.ts'

export const presentRelease = (row: ReleaseRow, { memberId, rights }: Caller): ContentRelease => ({
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
  changes: row.changes as ContentRelease['changes'],
  ended: row.ended_at && {
    at: row.ended_at.toISOString(),
    by: whoOf(row.ended_by, row.ender_name),
    reason: row.reason,
    cause: row.cause as EndCause | null,
  },
  mayConfirm: row.state === 'proposed' && row.proposed_by !== memberId && levelOf(rights, 'news') >= 2,
})
