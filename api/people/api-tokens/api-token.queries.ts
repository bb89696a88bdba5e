import { sql, type RawBuilder, type SqlBool } from 'kysely'
import {
  apiTokens,
  tokenWarningDays,
  type createApiToken,
  type TokenLevels,
  type TokenRejection,
  type TokenState,
} from '#contract/people/api-tokens.ts'
import { DAY } from '#contract/platform/durations.ts'
import { levels, type InputOf, type Level } from '#contract/platform/endpoint.ts'
import type { LevelValue } from '#contract/people/members.ts'
import type { FiltersOf } from '#contract/platform/resource.ts'
import type { Config } from '../../platform/config/config.ts'
import { compileOnce } from '../../platform/db/compile-once.ts'
import type { Tx } from '../../platform/db/database.ts'
import { literalInLike, staffName, ago, fromNow } from '../../platform/db/expressions.ts'
import { readList } from '../../platform/db/read-list.ts'
import type { Page } from '../../platform/db/read-page.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { hasFactor } from '../members/member.queries.ts'
import { recordColumns } from '../members/profile-columns.ts'

const now = sql<Date>`now()`
/** A literal, because compiled queries take no values. */
const minute = sql`interval '1 minute'`

type StaffRule = Pick<Config, 'isStaffSecondFactorRequired'>

/** The owner's levels, as in `levelOf`. */
const ofMaker: Readonly<Record<Level, RawBuilder<number>>> = {
  news: sql`case when member.is_write_access_admin then 2 else member.manage_news end`,
  employee: sql`case when member.is_write_access_admin then 2 else member.manage_employee end`,
  finance: sql`member.manage_finance`,
  coins: sql`member.manage_coins`,
}

const makerCounts = ({ isStaffSecondFactorRequired: needsFactor }: StaffRule) =>
  sql<boolean>`(member.active and member.password_length_ok_for_staff and (${hasFactor} or not ${sql.lit(needsFactor)}))`

/** The effective part of a level of the token `t` of `member`: no more than its owner has now, by any right. */
const countingLevel = (level: Level, rule: StaffRule) =>
  sql<LevelValue>`(case when ${makerCounts(rule)} then least(${sql.ref(`t.${level}`)}, ${ofMaker[level]}) else 0 end)`

const countingLevels = (rule: StaffRule) => [
  countingLevel('news', rule).as('counting_news'),
  countingLevel('employee', rule).as('counting_employee'),
  countingLevel('finance', rule).as('counting_finance'),
  countingLevel('coins', rule).as('counting_coins'),
]

/** Whether it is not accepted, though it has neither expired nor been revoked. */
const isDead = (rule: StaffRule) =>
  sql<boolean>`(greatest(${sql.join(levels.map((level) => countingLevel(level, rule)))}) = 0)`

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
    // The end of the previous secret is unknown if an earlier release replaced it.
    .select(
      sql<string>`coalesce(case when ${isCurrent} then t.secret_end else t.previous_end end, '')`.as('end'),
    )
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

export async function recordRejection(db: Tx, id: string, place: string, why: TokenRejection): Promise<void> {
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

const revoke = (db: Tx, by: string | null, reason: string) =>
  db
    .updateTable('api_token')
    .set({ revoked_at: now, revoked_by: by, revoke_reason: reason, previous_hash: null })
    .where('revoked_at', 'is', null)
    .returning('id')

/** Returns whether it was not revoked before. */
export const markRevoked = async (db: Tx, id: string, by: string, reason: string): Promise<boolean> =>
  (await revoke(db, by, reason).where('id', '=', id).executeTakeFirst()) !== undefined

/** Returns the IDs of the tokens that it revoked. */
export async function markRevokedBeyond(
  db: Tx,
  memberId: string,
  allowed: TokenLevels,
  by: string | null,
): Promise<string[]> {
  const rows = await revoke(db, by, '')
    .where('member_id', '=', memberId)
    .where((where) => where.or(levels.map((level) => where(level, '>', allowed[level]))))
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Active tokens, each once, whichever instance comes first. One that becomes active again before its end is
 * reported then.
 */
export const claimExpiringTokens = (db: Tx, rule: StaffRule) =>
  db
    .updateTable('api_token as t')
    .from('member')
    .set({ warned_at: now })
    .whereRef('member.id', '=', 't.member_id')
    .where(sql<SqlBool>`not ${isDead(rule)}`)
    .where('t.warned_at', 'is', null)
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', now)
    .where('t.expires_at', '<=', fromNow(tokenWarningDays * DAY))
    .returning(['t.name', 't.expires_at', 'member.email', 'member.language'])
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

const stateBy = (rule: StaffRule) => sql<TokenState>`case
  when t.revoked_at is not null then 'revoked'
  when t.expires_at <= now() then 'expired'
  when ${isDead(rule)} then 'dead'
  when t.expires_at - ${sql.lit(tokenWarningDays)} * interval '1 day' <= now() then 'ending'
  else 'active' end`

const shownTokens = (db: Tx, rule: StaffRule) =>
  db
    .selectFrom('api_token as t')
    .innerJoin('member', 'member.id', 't.member_id')
    .leftJoin('member as r', 'r.id', 't.revoked_by')
    .selectAll('t')
    .select(['t.secret_end as end', 't.previous_used_at as former_used_at'])
    .select(countingLevels(rule))
    .select([
      stateBy(rule).as('state'),
      staffName('member').as('maker_name'),
      staffName('r').as('revoker_name'),
    ])
    .select(
      sql<Date | null>`case when t.previous_until > now() and t.revoked_at is null then t.previous_until end`.as(
        'overlap_until',
      ),
    )

export type ShownTokenRow = NonNullable<Awaited<ReturnType<typeof findShownToken>>>

export const findShownToken = (db: Tx, rule: StaffRule, id: string) =>
  shownTokens(db, rule).where('t.id', '=', id).executeTakeFirst()

/** Those of others are for administrators. */
export function listTokens(
  { db, config, caller }: Pick<MemberContext, 'db' | 'config' | 'caller'>,
  filters: FiltersOf<typeof apiTokens>,
  page: Page,
) {
  const isOwn = sql<SqlBool>`t.member_id = ${caller.memberId}`
  return readList(
    apiTokens,
    {
      rows: shownTokens(db, config).$if(!caller.rights.isWriteAccessAdmin, (rows) => rows.where(isOwn)),
      where: {
        state: (rows, state) => rows.where(sql<SqlBool>`${stateBy(config)} = ${state}`),
        level: (rows, level) => rows.where(`t.${level}`, '>', 0),
        q: (rows, q) => rows.where(isAbout(q)),
        whose: (rows, whose) => rows.where(whose === 'mine' ? isOwn : sql<SqlBool>`not (${isOwn})`),
      },
      sortBy: { created: 't.created_at', expires: 't.expires_at' },
      id: 't.id',
    },
    filters,
    page,
  )
}

const isAbout = (q: string) =>
  sql<SqlBool>`lower(t.name || ' ' || t.purpose || ' ' || member.email || ' ' || member.display_name)
    like ${`%${literalInLike(q.toLowerCase())}%`}`

export const listTokensOfMember = (db: Tx, rule: StaffRule, memberId: string) =>
  shownTokens(db, rule).where('t.member_id', '=', memberId).orderBy('t.created_at', 'desc').execute()
