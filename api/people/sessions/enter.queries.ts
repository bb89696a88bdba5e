import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { fromNow } from '../../platform/db/expressions.ts'
import { hasFactor, type MemberRow } from '../members/member.queries.ts'
import { isNewPlace, recordingSignIn } from '../members/sign-in.queries.ts'
import {
  counting,
  countingDown,
  type Counted,
  type KeyLimit,
} from '../../platform/rate-limits/rate-limit.queries.ts'
import { rememberingDevice } from './known-device.queries.ts'
import { dueOfMember } from './lost-factors/lost-factor.queries.ts'
import { enteredMember, isAlive, type EnteredMember } from './session.queries.ts'
import { accessTokenLife, memberSession, sessionsMax, staffSession } from './tokens.ts'

export type NewSession = {
  tokenHash: string
  refreshHash: string
  xsrfHash: string
  /** The browser's current session, which ends, to prevent session fixation. */
  carriedHash: string | null
  device: string
  place: string
  hasProvedFactor: boolean
}

/**
 * Statement parts that create a session for the locked member of `entered`; `given` is its access token.
 * Sessions beyond the maximum end, never refreshed ones first, so that a program that signs in for each call
 * does not sign out the member's browsers.
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

/** Creates a session of the member in one statement. */
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
  /** The limit of sign-ins. */
  limit: KeyLimit
  clientHash: string
  deviceHash: string
  deviceToken: string
  language: MemberRow['language']
  /**
   * Only if the password hash is unchanged, the account has no factor, and the member is known there: then
   * nothing needs to be checked in between, and the attempts are refunded at once.
   */
  atOnce?: { passwordHash: string; tryHashes: readonly string[] }
}

type Entered = Counted & { is_new: boolean } & (EnteredMember | { expires_at: null })

/**
 * All writes of a sign-in in one statement: `undefined` if the member does not match `atOnce`. Beyond the limit
 * only its count is written. Data that may change while the member's lock is awaited is read from the locked
 * rows, whose newest state decides.
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
    ${recordingSignIn({ ...place, device: session.device, hasProvedFactor: session.hasProvedFactor })},
    ${rememberingDevice(place.deviceToken, session.hasProvedFactor)},
    ${beginning(session)}
    ${atOnce ? sql`, returned as (${countingDown(atOnce.tryHashes)} and exists (select from given))` : sql``}
    select held.*, counted.count, counted.wait, given.expires_at from held, counted left join given on true`.execute(
    db,
  )
  return rows[0]
}
