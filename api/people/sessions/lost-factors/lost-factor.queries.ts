import { sql } from 'kysely'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { ago, fromNow, selectStaffNameWithAddress } from '../../../platform/db/expressions.ts'

/** Delay before the recovery takes effect, in milliseconds. It gives the member a day to stop the request. */
const delay = DAY
const openMax = 14 * DAY
const keptFor = 90 * DAY

const now = sql<Date>`now()`

export const findOpenLostFactor = (db: Tx, memberId: string) =>
  db
    .selectFrom('lost_factor')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

/** Finds a request of any member, including ended ones: for staff, and for the emailed link. */
export const findAnyLostFactor = (db: Tx, id: string) =>
  db.selectFrom('lost_factor').selectAll().where('id', '=', id).executeTakeFirst()

export type LostFactorRow = NonNullable<Awaited<ReturnType<typeof findAnyLostFactor>>>

export const lockAnyLostFactor = (db: Tx, id: string) =>
  db.selectFrom('lost_factor').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertLostFactor = (db: Tx, memberId: string) =>
  db.insertInto('lost_factor').values({ member_id: memberId }).returningAll().executeTakeFirstOrThrow()

const openOnes = (db: Tx) =>
  db
    .selectFrom('lost_factor')
    .innerJoin('member', 'member.id', 'lost_factor.member_id')
    .leftJoin('member as opener', 'opener.id', 'lost_factor.opened_by')
    .leftJoin('member as confirmer', 'confirmer.id', 'lost_factor.confirmed_by')
    .selectAll('lost_factor')
    .select(['member.email', 'member.display_name'])
    .select([
      selectStaffNameWithAddress('opener').as('opener_name'),
      selectStaffNameWithAddress('confirmer').as('confirmer_name'),
    ])

/** Requests that the staff member can advance: neither their own nor opened by them. */
export const isLostFactorWaitingFor = (memberId: string) =>
  sql<boolean>`lost_factor.ended_at is null and lost_factor.state in ('asked', 'opened')
    and lost_factor.member_id <> ${memberId} and lost_factor.opened_by is distinct from ${memberId}`

/** With a reader, only the requests that wait for them. */
export const listOpenLostFactors = (db: Tx, readerId?: string) =>
  openOnes(db)
    .where('lost_factor.ended_at', 'is', null)
    .$if(readerId !== undefined, (query) => query.where(isLostFactorWaitingFor(readerId!)))
    .orderBy('asked_at')
    .limit(200)
    .execute()

export const getShownLostFactor = (db: Tx, id: string) =>
  openOnes(db).where('lost_factor.id', '=', id).executeTakeFirstOrThrow()

export type ShownLostFactor = Awaited<ReturnType<typeof getShownLostFactor>>

export async function markOpened(db: Tx, id: string, by: string, how: string): Promise<void> {
  await db
    .updateTable('lost_factor')
    .set({ state: 'opened', opened_by: by, opened_at: now, opened_how: how })
    .where('id', '=', id)
    .execute()
}

export const markConfirmed = (db: Tx, id: string, by: string) =>
  db
    .updateTable('lost_factor')
    .set({ state: 'confirmed', confirmed_by: by, confirmed_at: now, takes_effect_at: fromNow(delay) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Ends the member's open request, if there is one, and returns its ID. */
export async function endOpenLostFactor(
  db: Tx,
  memberId: string,
  state: 'done' | 'stopped' | 'declined',
): Promise<string | undefined> {
  const row = await db
    .updateTable('lost_factor')
    .set({ state, ended_at: now })
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function isLostFactorDue(db: Tx, memberId: string): Promise<boolean> {
  const row = await dueOnes(db).where('member_id', '=', memberId).executeTakeFirst()
  return row !== undefined
}

export const listMembersWithLostFactorDue = (db: Tx) => dueOnes(db).limit(200).execute()

/** During maintenance, members can stop nothing, so nothing takes effect. */
const isNoMaintenance = sql<boolean>`not exists (select from maintenance)`

/** For the member of a query. */
export const dueOfMember = sql`select from lost_factor
  where lost_factor.member_id = member.id and state = 'confirmed' and takes_effect_at <= now() and ${isNoMaintenance}`

const dueOnes = (db: Tx) =>
  db
    .selectFrom('lost_factor')
    .select('member_id')
    .where('state', '=', 'confirmed')
    .where('takes_effect_at', '<=', now)
    .where(isNoMaintenance)

/** Ends requests that staff did not complete, and later deletes ended ones. */
export async function expireLostFactors(db: Tx): Promise<void> {
  await db
    .updateTable('lost_factor')
    .set({ state: 'expired', ended_at: now })
    .where('state', 'in', ['asked', 'opened'])
    .where('asked_at', '<', ago(openMax))
    .execute()
  await db.deleteFrom('lost_factor').where('ended_at', '<', ago(keptFor)).execute()
}

/** Adds the duration of maintenance to the delays that were running when it began, because members could stop nothing. */
export async function postponeLostFactors(db: Tx, { since, ms }: { since: Date; ms: number }): Promise<void> {
  await db
    .updateTable('lost_factor')
    .set({ takes_effect_at: sql<Date>`takes_effect_at + ${ms / SECOND} * interval '1 second'` })
    .where('state', '=', 'confirmed')
    .where('takes_effect_at', '>', since)
    .execute()
}

export async function deleteLostFactorsOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('lost_factor').where('member_id', '=', memberId).execute()
}
