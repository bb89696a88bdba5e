import { sql, type SqlBool } from 'kysely'
import { tokenWarningDays, type TokenRefusal } from '#contract/api-tokens.ts'
import { DAY } from '#contract/durations.ts'
import { compileOnce } from '../db/compile-once.ts'
import type { Tx } from '../db/database.ts'
import { ago, fromNow } from '../db/time.ts'
import { hasFactor } from '../members/member.queries.ts'
import { recordColumns } from '../members/profile-columns.ts'
import { isDead, type StaffRule } from './counting-levels.queries.ts'

/** Written out, because what is compiled once takes no value. */
const minute = sql`interval '1 minute'`

/** Whether the secret that was sent is the present one, and not the one before. */
const isCurrent = sql<boolean>`t.secret_hash = $1`

/** With the record of its maker as it is now. Nothing of it is kept: what is revoked ends with the next call of any instance. */
const readToken = compileOnce((db) =>
  db
    .selectFrom('api_token as t')
    .innerJoin('member', 'member.id', 't.member_id')
    .select(['t.id as token_id', 't.news', 't.employee', 't.finance', 't.coins', 't.is_read_only'])
    .select([
      't.addresses',
      't.secret_hash',
      't.secret_end',
      't.previous_hash',
      't.previous_end',
      hasFactor.as('has_factor'),
    ])
    .select(recordColumns.map((column) => `member.${column}` as const))
    .select(isCurrent.as('is_current'))
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
 * Of which secret: its maker sees by this that a program has the new one. Asked again with the update: of calls that come side by side,
 * one writes.
 */
export async function noteUse(
  db: Tx,
  id: string,
  { place, isCurrent }: { place: string; isCurrent: boolean },
): Promise<void> {
  const at = isCurrent ? 'last_used_at' : 'previous_used_at'
  const now = sql<Date>`now()`
  await db
    .updateTable('api_token')
    .set(isCurrent ? { last_used_at: now, last_used_place: place } : { previous_used_at: now })
    .where('id', '=', id)
    .where(sql<SqlBool>`coalesce(${sql.ref(at)} + ${minute} < now(), true)`)
    .execute()
}

/**
 * From elsewhere is what a theft looks like: it is written at once, and no other reason takes its place until the token is revoked or has
 * another secret. Whoever has the secret must not hide it behind a refusal that they bring about.
 */
const mayBeNoted = (why: TokenRefusal) =>
  why === 'address'
    ? sql<SqlBool>`(last_refused_why is distinct from 'address' or last_refused_at + ${minute} < now())`
    : sql<SqlBool>`(last_refused_at is null or (last_refused_at + ${minute} < now()
        and (last_refused_why is distinct from 'address' or revoked_at is not null or rotated_at > last_refused_at)))`

export async function noteRefusal(db: Tx, id: string, place: string, why: TokenRefusal): Promise<void> {
  await db
    .updateTable('api_token')
    .set({ last_refused_at: sql<Date>`now()`, last_refused_place: place, last_refused_why: why })
    .where('id', '=', id)
    .where(mayBeNoted(why))
    .execute()
}

export type NewToken = {
  memberId: string
  name: string
  purpose: string
  levels: { news: number; employee: number; finance: number; coins: number }
  isReadOnly: boolean
  addresses: readonly string[]
  days: number
  secretHash: string
  secretEnd: string
}

/** One that lives no longer than the warning would come before is never warned of. */
const warnedAt = (days: number) => (days <= tokenWarningDays ? sql<Date>`now()` : null)

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

export async function countLivingTokens(db: Tx, memberId: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_token')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return count
}

export const lockTokenOfMember = (db: Tx, id: string, memberId: string) =>
  db
    .selectFrom('api_token')
    .select(['id', 'name', sql<boolean>`revoked_at is null and expires_at > now()`.as('is_alive')])
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .forUpdate()
    .executeTakeFirst()

/** The secret before the last goes at once, however long it had. The new one was used by nobody. */
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
      rotated_at: sql<Date>`now()`,
      ...(days !== undefined && { expires_at: fromNow(days * DAY), warned_at: warnedAt(days) }),
    })
    .where('id', '=', id)
    .execute()
}

/** Whether it was not revoked before. */
export async function markRevoked(db: Tx, id: string, by: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_token')
    .set({ revoked_at: sql<Date>`now()`, revoked_by: by, revoke_reason: reason, previous_hash: null })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whose account it is now did not make them. Answers which they were. */
export async function revokeTokensOfMember(db: Tx, memberId: string): Promise<string[]> {
  const rows = await db
    .updateTable('api_token')
    .set({ revoked_at: sql<Date>`now()`, revoked_by: memberId, previous_hash: null })
    .where('member_id', '=', memberId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Of those that something accepts, each once, whichever instance comes first. One that counts again before its end is told of then. */
export const takeEndingTokens = (db: Tx, rule: StaffRule, limit: number) =>
  db
    .updateTable('api_token')
    .from('member')
    .set({ warned_at: sql<Date>`now()` })
    .whereRef('member.id', '=', 'api_token.member_id')
    .where('api_token.id', 'in', (query) =>
      query
        .selectFrom('api_token as t')
        .innerJoin('member', 'member.id', 't.member_id')
        .select('t.id')
        .where(sql<SqlBool>`not ${isDead(rule)}`)
        .where('t.warned_at', 'is', null)
        .where('t.revoked_at', 'is', null)
        .where('t.expires_at', '>', sql<Date>`now()`)
        .where('t.expires_at', '<=', fromNow(tokenWarningDays * DAY))
        .orderBy('t.expires_at')
        .limit(limit)
        .forUpdate('t')
        .skipLocked(),
    )
    .returning(['api_token.name', 'api_token.secret_end', 'api_token.expires_at'])
    .returning(['member.email', 'member.language'])
    .execute()

const keptAfterEnd = 90 * DAY

export async function deleteOldTokens(db: Tx): Promise<void> {
  await db
    .deleteFrom('api_token')
    .where((where) =>
      where.or([
        where('expires_at', '<', sql<Date>`${ago(keptAfterEnd)}`),
        where('revoked_at', '<', sql<Date>`${ago(keptAfterEnd)}`),
      ]),
    )
    .execute()
}

/** And who revoked the tokens of others is no longer said. */
export async function deleteTokensOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('api_token').where('member_id', '=', memberId).execute()
  await db
    .updateTable('api_token')
    .set({ revoked_by: null, revoke_reason: '' })
    .where('revoked_by', '=', memberId)
    .execute()
}
