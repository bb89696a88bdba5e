import { apiToken, type ApiToken, type TokenRejection } from '#contract/api-tokens.ts'
import { project } from '../db/project.ts'
import type { ShownTokenRow } from './listed-token.queries.ts'

export function presentToken(row: ShownTokenRow, readerId: string): ApiToken {
  const { last_used_at, last_refused_at, revoked_at } = row
  return {
    ...project(apiToken, row),
    maker: { id: row.member_id, name: row.maker_name ?? '' },
    isOwn: row.member_id === readerId,
    levels: levelsOf(row),
    counting: {
      news: row.counting_news,
      employee: row.counting_employee,
      finance: row.counting_finance,
      coins: row.counting_coins,
    },
    lastUsed: last_used_at && { at: last_used_at.toISOString(), place: row.last_used_place ?? '' },
    lastRefused: last_refused_at && {
      at: last_refused_at.toISOString(),
      place: row.last_refused_place ?? '',
      why: row.last_refused_why as TokenRejection,
    },
    revoked: revoked_at && {
      at: revoked_at.toISOString(),
      by: row.revoker_name ?? '',
      reason: row.revoke_reason,
    },
  }
}

const levelsOf = ({ news, employee, finance, coins }: ShownTokenRow) =>
  ({ news, employee, finance, coins }) as ApiToken['levels']
