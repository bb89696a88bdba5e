import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import { fromNow } from '#api/platform/db/expressions.ts'
import { hashSecret } from '#api/platform/keys.ts'
import type { MemberChange } from '#api/people/members/member.queries.ts'
import { rightsOf } from '#api/people/members/rights.ts'
import {
  accessTokenLife,
  memberSession,
  newAccessToken,
  newRefreshToken,
  newXsrfToken,
  staffSession,
} from '#api/people/sessions/tokens.ts'
import { anEmail, anIp, goodPassword, hashOfGoodPassword, type TestMember } from '#tests/builders.ts'
import type { TestApi } from '#tests/setup/start-api.ts'

export type StoredMember = Omit<TestMember, 'session'>

/** Small enough that no stored member is kept until its step-up authentication has expired. */
const batch = 25
const stocks = new WeakMap<TestApi, Map<string, StoredMember[]>>()

/**
 * Like `aSignedInMember`, but from a stock that is inserted in batches. The matrix needs thousands of members, and ten
 * queries for each took most of its time.
 */
export async function aStoredMember(started: TestApi, rights: MemberChange = {}): Promise<StoredMember> {
  const stock = stocks.get(started) ?? new Map<string, StoredMember[]>()
  stocks.set(started, stock)
  const kind = JSON.stringify(rights)
  const ready = stock.get(kind)?.length ? stock.get(kind)! : await writeMembers(started, rights)
  stock.set(kind, ready)
  return ready.pop()!
}

async function writeMembers({ services }: TestApi, rights: MemberChange): Promise<StoredMember[]> {
  const { db, passwords } = services
  const password_hash = await hashOfGoodPassword(passwords)
  const given = Array.from({ length: batch }, () => ({
    email: anEmail(),
    ip: anIp(),
    token: newAccessToken(),
    cookies: { refresh: newRefreshToken(), 'XSRF-TOKEN': newXsrfToken() },
  }))
  const members = await db
    .insertInto('member')
    .values(
      given.map(({ email }) => ({
        email,
        language: 'en',
        active: true,
        password_hash,
        password_length_ok_for_staff: true,
        address_proved_at: new Date(),
        ...rights,
      })),
    )
    .returningAll()
    .execute()
  const { life, idle } = hasAnyStaffRight(rightsOf(members[0]!)) ? staffSession : memberSession
  const idOf = new Map(members.map(({ id, email }) => [email, id]))
  const sessions = await db
    .insertInto('session')
    .values(
      given.map(({ email, ip, cookies }) => ({
        member_id: idOf.get(email)!,
        refresh_hash: hashSecret(cookies.refresh),
        xsrf_hash: hashSecret(cookies['XSRF-TOKEN']),
        device: '',
        place: ip,
        idle_ms: idle,
        has_proved_factor: false,
        expires_at: fromNow(life),
      })),
    )
    .returning(['id', 'member_id'])
    .execute()
  const sessionOf = new Map(sessions.map(({ id, member_id }) => [member_id, id]))
  await db
    .insertInto('access_token')
    .values(
      given.map(({ email, token }) => ({
        token_hash: hashSecret(token),
        session_id: sessionOf.get(idOf.get(email)!)!,
        expires_at: fromNow(accessTokenLife),
      })),
    )
    .execute()
  return given.map((one) => ({ ...one, id: idOf.get(one.email)!, password: goodPassword }))
}
