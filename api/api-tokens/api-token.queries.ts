import { sql, type SqlBool } from 'kysely'
import { tokenWarningDays, type createApiToken, type TokenRejection } from '#contract/api-tokens.ts'
import { DAY } from '#contract/durations.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { compileOnce } from '../db/compile-once.ts'
import type { Tx } from '../db/database.ts'
import { ago, fromNow } from '../db/time.ts'
import { hasFactor } from '../members/member.queries.ts'
import { recordColumns } from '../members/profile-columns.ts'
import { countingLevels, isDead, type StaffRule } from './counting-levels.queries.ts'

const now = sql<Date>`now()`
/** A literal, because compiled queries take no values. */
const minute = sql`interval '1 minute'`

/** Whether the secret is the current one rather than the previous one. */
const isCurrent = sql<boolean>`t.secret_hash = $1`

/** A call of an owner without the required second factor is refused with a reason of its own. */
const callRule = { isStaffSecondFactorRequired: false }

/**
 * With the owner's current record. Nothing is cached, so a revoked token ends with the next call on any
 * instance.
 */
const readToken = compileOnce((db) =>
  db
    .selectFrom('api_token as t')
    .innerJoin('member', 'member.id', 't.member_id')
    .select(['t.id as token_id', 't.is_read_only', 't.addresses'])
    .select(['t.secret_hash', 't.secret_end', 't.previous_hash', 't.previous_end'])
    .select(recordColumns.map((column) => `member.${column}` as const))
    .select(countingLevels(callRule))
    .select([hasFactor.as('has_factor'), isCurrent.as('is_current'), isDead(callRule).as('is_dead')])
    .select(sql<boolean>`t.revoked_at is not null`.as('is_revoked'))
    .select(
      sql<boolean>`t.expires_at <= now() or (not ${isCurrent} and t.previous_until <= now())`.as(
        'is_expired',
      ),
    )
    .select(
      sql<boolean>`coalesce(case when ${isCurrent} then t.last_used_at else t.previous_used_at end + ${minute} < now(), true)`.as(
        'is_use_due',
      ),
    )
    .where((where) =>
      where.or([
        where('t.secret_hash', '=', sql<string>`$1`),
        where('t.previous_hash', '=', sql<string>`$1`),
      ]),
    ),
)

export type KnownToken = Awaited<ReturnType<typeof findTokenBySecret>> & {}

export async function findTokenBySecret(db: Tx, secretHash: string) {
  const [row] = await readToken(db, secretHash)
  return row
}

/**
 * Which secret was used, so that its owner sees whether a program has the new one. Checked again in the update:
 * of concurrent calls, one writes.
 */
export async function recordUse(
  db: Tx,
  id: string,
  { place, isCurrent }: { place: string; isCurrent: boolean },
): Promise<void> {
  const at = isCurrent ? 'last_used_at' : 'previous_used_at'
  await db
    .updateTable('api_token')
    .set(isCurrent ? { last_used_at: now, last_used_place: place } : { previous_used_at: now })
    .where('id', '=', id)
    .where(sql<SqlBool>`coalesce(${sql.ref(at)} + ${minute} < now(), true)`)
    .execute()
}

/**
 * A foreign address indicates a leak: it is written at once, and no other reason replaces it until the token is
 * revoked or gets another secret. An attacker must not hide it behind another refusal.
 */
const mayBeNoted = (why: TokenRejection) =>
  why === 'address'
    ? sql<SqlBool>`(last_refused_why is distinct from 'address' or last_refused_at + ${minute} < now())`
    : sql<SqlBool>`(last_refused_at is null or (last_refused_at + ${minute} < now()
        and (last_refused_why is distinct from 'address' or revoked_at is not null or rotated_at > last_refused_at)))`

export async function recordMailboxRefusal(
  db: Tx,
  id: string,
  place: string,
  why: TokenRejection,
): Promise<void> {
  await db
    .updateTable('api_token')
    .set({ last_refused_at: now, last_refused_place: place, last_refused_why: why })
    .where('id', '=', id)
    .where(mayBeNoted(why))
    .execute()
}

type NewToken = Omit<InputOf<typeof createApiToken>['body'], 'addresses'> & {
  addresses: readonly string[]
  memberId: string
  secretHash: string
  secretEnd: string
}

/** A token that expires before the warning time is never warned about. */
const warnedAt = (days: number) => (days <= tokenWarningDays ? now : null)

export async function insertToken(db: Tx, given: NewToken): Promise<string> {
  const { id } = await db
    .insertInto('api_token')
    .values({
      member_id: given.memberId,
      name: given.name,
      purpose: given.purpose,
      ...given.levels,
      is_read_only: given.isReadOnly,
      addresses: [...given.addresses],
      secret_hash: given.secretHash,
      secret_end: given.secretEnd,
      expires_at: fromNow(given.days * DAY),
      warned_at: warnedAt(given.days),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const isLiving = sql<boolean>`(revoked_at is null and expires_at > now())`

export async function countLivingTokens(db: Tx, memberId: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_token')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .where(isLiving)
    .executeTakeFirstOrThrow()
  return count
}

export const lockTokenOfMember = (db: Tx, id: string, memberId: string) =>
  db
    .selectFrom('api_token')
    .select(['id', isLiving.as('is_alive')])
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .forUpdate()
    .executeTakeFirst()

/**
 * A secret older than the previous one becomes invalid at once, regardless of its overlap. The new one is
 * unused.
 */
export async function replaceSecret(
  db: Tx,
  id: string,
  secret: { hash: string; end: string },
  { overlap, days }: { overlap: number; days: number | undefined },
): Promise<void> {
  await db
    .updateTable('api_token')
    .set({
      previous_hash: overlap > 0 ? sql<string>`secret_hash` : null,
      previous_until: overlap > 0 ? fromNow(overlap) : null,
      previous_end: sql<string>`secret_end`,
      previous_used_at: sql<Date>`last_used_at`,
      last_used_at: null,
      last_used_place: null,
      secret_hash: secret.hash,
      secret_end: secret.end,
      rotated_at: now,
      ...(days !== undefined && { expires_at: fromNow(days * DAY), warned_at: warnedAt(days) }),
    })
    .where('id', '=', id)
    .execute()
}

const revoke = (db: Tx, by: string, reason: string) =>
  db
    .updateTable('api_token')
    .set({ revoked_at: now, revoked_by: by, revoke_reason: reason, previous_hash: null })
    .where('revoked_at', 'is', null)
    .returning('id')

/** Returns whether it was not revoked before. */
export const markRevoked = async (db: Tx, id: string, by: string, reason: string): Promise<boolean> =>
  (await revoke(db, by, reason).where('id', '=', id).executeTakeFirst()) !== undefined

/** The account's current owner did not create them. Returns the revoked ones. */
export async function revokeTokensOfMember(db: Tx, memberId: string): Promise<string[]> {
  const rows = await revoke(db, memberId, '').where('member_id', '=', memberId).execute()
  return rows.map(({ id }) => id)
}

/**
 * Active tokens, each once, whichever instance comes first. One that becomes active again before its end is
 * reported then.
 */
export const claimExpiringTokens = (db: Tx, rule: StaffRule, limit: number) =>
  db
    .updateTable('api_token')
    .from('member')
    .set({ warned_at: now })
    .whereRef('member.id', '=', 'api_token.member_id')
    .where('api_token.id', 'in', (query) =>
      query
        .selectFrom('api_token as t')
        .innerJoin('member', 'member.id', 't.member_id')
        .select('t.id')
        .where(sql<SqlBool>`not ${isDead(rule)}`)
        .where('t.warned_at', 'is', null)
        .where('t.revoked_at', 'is', null)
        .where('t.expires_at', '>', now)
        .where('t.expires_at', '<=', fromNow(tokenWarningDays * DAY))
        .orderBy('t.expires_at')
        .limit(limit)
        .forUpdate('t')
        .skipLocked(),
    )
    .returning(['api_token.name', 'api_token.expires_at'])
    .returning(['member.email', 'member.language'])
    .execute()

const keptAfterEnd = 90 * DAY

export async function deleteOldTokens(db: Tx): Promise<void> {
  await db
    .deleteFrom('api_token')
    .where((where) =>
      where.or([where('expires_at', '<', ago(keptAfterEnd)), where('revoked_at', '<', ago(keptAfterEnd))]),
    )
    .execute()
}

/** The name of the person who revoked other people's tokens is removed, too. */
export async function deleteTokensOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('api_token').where('member_id', '=', memberId).execute()
  await db
    .updateTable('api_token')
    .set({ revoked_by: null, revoke_reason: '' })
    .where('revoked_by', '=', memberId)
    .execute()
}
