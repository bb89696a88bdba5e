import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { api } from '#contract/api.ts'
import type { MemberChange } from '#api/people/members/member.queries.ts'
import { aMember, type TestMember } from './builders.ts'
import type { CallOptions, TestApi } from './setup/start-api.ts'

/** Returns call options of the member, from where they signed in. */
export const as = (member: TestMember): CallOptions => ({ token: member.token, ip: member.ip })

/** Makes the step-up authentication of every session, or of the member's sessions, expire. */
export async function letProofAge({ services }: TestApi, member?: Pick<TestMember, 'id'>): Promise<void> {
  await services.db
    .updateTable('session')
    .set({ proved_at: sql<Date>`now() - interval '11 minutes'` })
    .$if(Boolean(member), (sessions) => sessions.where('member_id', '=', member!.id))
    .execute()
}

/** An authenticator app that shows the secret's codes. */
export const appWith = (secret: string): TOTP =>
  new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })

/** The member sets up an authenticator app. */
export async function addTotp(
  started: TestApi,
  member: TestMember,
): Promise<{ totp: TOTP; recoveryCodes: string[] }> {
  const begun = await started.call(api.beginTotp, { body: null }, as(member))
  const totp = appWith(begun.body.secret)
  const { body } = await started.call(api.confirmTotp, { body: { code: totp.generate() } }, as(member))
  return { totp, recoveryCodes: body.recoveryCodes }
}

export async function aMemberWithTotp(started: TestApi, rights: MemberChange = {}) {
  const member = await aMember(started, { rights })
  return { member, ...(await addTotp(started, member)) }
}

/** Returns the code after the one that set up the app, because no code can be used twice. */
export const nextCode = (totp: TOTP): string => totp.generate({ timestamp: Date.now() + 30_000 })
