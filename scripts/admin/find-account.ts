import { findMemberByEmail, type MemberRow } from '#api/people/members/member.queries.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { StartRefused } from '#api/platform/start-refused.ts'

/** The account with the address, which must be active: nobody can sign in to another one. */
export async function findAccount(db: Tx, email: string): Promise<MemberRow> {
  const member = await findMemberByEmail(db, email.trim().toLowerCase())
  if (!member) throw new StartRefused('No account has this email address.')
  if (!member.active) throw new StartRefused('The account isn’t active. Its owner must activate it first.')
  return member
}
