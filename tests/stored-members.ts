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

/** Like `aSignedInMember`, for one member with each of the given rights, in three queries for all of them. */
export async function storeMembers(
  { services }: TestApi,
  wanted: readonly MemberChange[],
): Promise<StoredMember[]> {
  const { db, passwords } = services
  const password_hash = await hashOfGoodPassword(passwords)
  const given = wanted.map((rights) => ({
    rights,
    email: anEmail(),
    ip: anIp(),
    token: newAccessToken(),
    cookies: { refresh: newRefreshToken(), 'XSRF-TOKEN': newXsrfToken() },
  }))
  const members = await db
    .insertInto('member')
    .values(
      given.map(({ email, rights }) => ({
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
  const memberOf = new Map(members.map((member) => [member.email, member]))
  const sessions = await db
    .insertInto('session')
    .values(
      given.map(({ email, ip, cookies }) => {
        const member = memberOf.get(email)!
        const { life, idle } = hasAnyStaffRight(rightsOf(member)) ? staffSession : memberSession
        return {
          member_id: member.id,
          refresh_hash: hashSecret(cookies.refresh),
          xsrf_hash: hashSecret(cookies['XSRF-TOKEN']),
          device: '',
          place: ip,
          idle_ms: idle,
          has_proved_factor: false,
          expires_at: fromNow(life),
        }
      }),
    )
    .returning(['id', 'member_id'])
    .execute()
  const sessionOf = new Map(sessions.map(({ id, member_id }) => [member_id, id]))
  const idOf = (email: string) => memberOf.get(email)!.id
  await db
    .insertInto('access_token')
    .values(
      given.map(({ email, token }) => ({
        token_hash: hashSecret(token),
        session_id: sessionOf.get(idOf(email))!,
        expires_at: fromNow(accessTokenLife),
      })),
    )
    .execute()
  return given.map(({ email, ip, token, cookies }) => ({
    id: idOf(email),
    email,
    password: goodPassword,
    ip,
    token,
    cookies,
  }))
}
