import type { ApiToken, TokenLevels, TokenRefusal } from '#contract/api-tokens.ts'
import type { ShownTokenRow } from './listed-token.queries.ts'

export const levelsOfRow = (row: Record<keyof TokenLevels, number>): TokenLevels =>
  ({ news: row.news, employee: row.employee, finance: row.finance, coins: row.coins }) as TokenLevels

export function presentToken(row: ShownTokenRow, readerId: string): ApiToken {
  return {
    id: row.id,
    name: row.name,
    purpose: row.purpose,
    maker: { id: row.member_id, name: row.maker_name ?? '' },
    isOwn: row.member_id === readerId,
    state: row.state,
    levels: levelsOfRow(row),
    counting: levelsOfRow({
      news: row.counting_news,
      employee: row.counting_employee,
      finance: row.counting_finance,
      coins: row.counting_coins,
    }),
    isReadOnly: row.is_read_only,
    addresses: row.addresses,
    end: row.secret_end,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    rotatedAt: row.rotated_at?.toISOString() ?? null,
    overlapUntil: row.overlap_until?.toISOString() ?? null,
    formerUsedAt: row.previous_used_at?.toISOString() ?? null,
    lastUsed: row.last_used_at && { at: row.last_used_at.toISOString(), place: row.last_used_place ?? '' },
    lastRefused: row.last_refused_at && {
      at: row.last_refused_at.toISOString(),
      place: row.last_refused_place ?? '',
      why: row.last_refused_why as TokenRefusal,
    },
    revoked: row.revoked_at && {
      at: row.revoked_at.toISOString(),
      by: row.revoker_name ?? '',
      reason: row.revoke_reason,
    },
  }
}
