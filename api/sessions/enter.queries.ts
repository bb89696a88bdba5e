import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { fromNow } from '../db/time.ts'
import { hasFactor, type MemberRow } from '../members/member.queries.ts'
import { isNewPlace, notingSignIn } from '../members/sign-in.queries.ts'
import { counting, countingDown, type Counted, type KeyLimit } from '../rate-limits/rate-limit.queries.ts'
import { rememberingDevice } from './known-device.queries.ts'
import { dueOfMember } from './lost-factors/lost-factor.queries.ts'
import { enteredMember, isAlive, type EnteredMember } from './session.queries.ts'
import { accessTokenLife, memberSession, sessionsMax, staffSession } from './tokens.ts'

export type NewSession = {
  tokenHash: string
  refreshHash: string
  xsrfHash: string
  /** Of the session that the browser carries, which ends: no session is fixed by who gave it to the browser. */
  carriedHash: string | null
  device: string
  place: string
  hasProvedFactor: boolean
}

/**
 * A session of the member of `entered`, who is held, as parts of a statement; `given` is its access token. Those beyond the most
 * that a member has end: first those that were never refreshed, since a program that signs in for each of its calls leaves the
 * member's browsers alone.
 */
const beginning = (session: NewSession) => sql`
  carried as (
    delete from session using entered where ${isAlive} and (refresh_hash = ${session.carriedHash} or session.id = (
      select session_id from spent_refresh_token where token_hash = ${session.carriedHash}))),
  started as (
    insert into session (member_id, refresh_hash, xsrf_hash, device, place, has_proved_factor, idle_ms, expires_at)
    select id, ${session.refreshHash}::text, ${session.xsrfHash}::text, ${session.device}::text,
      ${session.place}::text, ${session.hasProvedFactor}::boolean,
      case when is_staff then ${staffSession.idle}::bigint else ${memberSession.idle}::bigint end,
      case when is_staff then ${fromNow(staffSession.life)} else ${fromNow(memberSession.life)} end
    from entered returning id),
  ended as (
    delete from session where id in (
      select session.id from session where session.member_id = (select id from entered)
      order by ${isAlive} desc, previous_refresh_hash is null, last_used_at desc
      offset ${sql.lit(sessionsMax - 1)})),
  given as (
    insert into access_token (token_hash, session_id, expires_at)
    select ${session.tokenHash}::text, id, ${fromNow(accessTokenLife)} from started returning expires_at)`

/** A session of the member, in one statement. */
export async function insertSessionOf(db: Tx, memberId: string, session: NewSession): Promise<EnteredMember> {
  const { rows } = await sql<EnteredMember>`
    with entered as (
      select ${enteredMember}
      from member left join member_summary summary on summary.id = member.id
      where member.id = ${memberId} for update of member),
    ${beginning(session)}
    select entered.*, given.expires_at from entered, given`.execute(db)
  return rows[0]!
}

type Entering = {
  session: NewSession
  /** Of sign-ins. */
  limit: KeyLimit
  clientHash: string
  deviceHash: string
  deviceToken: string
  language: MemberRow['language']
  /**
   * Only if the password is still this one, the account has no factor and the member is no stranger there: then nothing has to be
   * looked at in between, and the tries are given back at once.
   */
  atOnce?: { passwordHash: string; tryHashes: readonly string[] }
}

export type Entered = Counted & { is_new: boolean } & (EnteredMember | { expires_at: null })

/**
 * All that a sign-in writes, in one statement: `undefined` where the member is not as `atOnce` wants. Beyond the limit nothing is
 * written but its count. What may change while the member is waited for is asked of the rows that are held: their newest state
 * decides.
 */
export async function enter(
  db: Tx,
  memberId: string,
  { session, limit, atOnce, ...place }: Entering,
): Promise<Entered | undefined> {
  const isAsWanted = atOnce
    ? sql`and member.active and member.password_hash = ${atOnce.passwordHash} and not summary.has_factor
        and not ${hasFactor} and not ${isNewPlace(place)} and not exists (${dueOfMember})`
    : sql``
  const { rows } = await sql<Entered>`
    with held as (
      select ${enteredMember}, ${isNewPlace(place)} as is_new
      from member ${atOnce ? sql`` : sql`left`} join member_summary summary on summary.id = member.id
      where member.id = ${memberId} ${isAsWanted}
      for update of member ${atOnce ? sql`, summary` : sql``}),
    counted as (${counting(limit, sql`from held`)}),
    entered as (select held.* from held, counted where counted.count <= ${limit.max}),
    ${notingSignIn({ ...place, device: session.device, hasProvedFactor: session.hasProvedFactor })},
    ${rememberingDevice(place.deviceToken, session.hasProvedFactor)},
    ${beginning(session)}
    ${atOnce ? sql`, returned as (${countingDown(atOnce.tryHashes)} and exists (select from given))` : sql``}
    select held.*, counted.count, counted.wait, given.expires_at from held, counted left join given on true`.execute(
    db,
  )
  return rows[0]
}
