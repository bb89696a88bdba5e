import type { TokenLevels } from '#contract/people/api-tokens.ts'
import { levels, type Level } from '#contract/platform/endpoint.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { rightsOf } from '../members/rights.ts'
import { markRevokedBeyond } from './api-token.queries.ts'

const levelIn = (member: MemberRow, level: Level) => (member.active ? levelOf(rightsOf(member), level) : 0)

/**
 * Revokes the tokens that have more than their owner has after a change of the owner's access. Otherwise, they would work again as soon as
 * the owner gets the access back, even if a thief created them. A token that had more than its owner before the change
 * is revoked as well.
 */
export async function revokeTokensBeyond(
  db: Tx,
  before: MemberRow,
  after: MemberRow,
  actorId: string | null,
): Promise<void> {
  if (levels.every((level) => levelIn(before, level) === levelIn(after, level))) return
  const allowed = levels.map((level) => [level, Math.min(levelIn(before, level), levelIn(after, level))])
  await revokeBeyond(db, after.id, Object.fromEntries(allowed) as TokenLevels, actorId)
}

/** Revokes all tokens of an account whose current owner didn't create them. */
export const revokeTokensOfMember = (db: Tx, memberId: string): Promise<void> =>
  revokeBeyond(db, memberId, { news: 0, employee: 0, finance: 0, coins: 0 }, memberId)

async function revokeBeyond(
  db: Tx,
  memberId: string,
  allowed: TokenLevels,
  actorId: string | null,
): Promise<void> {
  for (const subjectId of await markRevokedBeyond(db, memberId, allowed, actorId))
    await recordAudit(db, { actorId, action: 'token-revoked', subjectKind: 'token', subjectId })
}
