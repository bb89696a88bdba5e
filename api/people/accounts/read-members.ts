import type { api } from '#contract/api.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { findPendingEmail } from './email-change.queries.ts'
import { listAnyMembers } from '../members/any-member.queries.ts'
import { findMemberByEmail, findMemberById, type MemberRow } from '../members/member.queries.ts'
import { presentSelf, presentUser } from './present-user.ts'

/**
 * Records of others are `forbidden` whether they exist or not, so that the answer reveals nothing about others.
 */
export const findMember: Handler<typeof api.findMember> = async ({ body }, { db, config, caller }) => {
  const id = body._id ?? body.id
  const { record } = caller
  const isOwn = (id ?? record.id) === record.id && (body.email ?? record.email) === record.email
  if (isOwn) return presentSelf(config, caller)
  caller.requireStaff()
  const row = id !== undefined ? await findMemberById(db, id) : await findMemberByEmail(db, body.email ?? '')
  const isMatch = row !== undefined && (body.email === undefined || row.email === body.email)
  if (!isMatch || row.erased_at) throw new Refused('not_found')
  return presentUser(db, config, row)
}

export const getMember: Handler<typeof api.getMember> = async ({ params }, { db, config, caller }) => {
  if (params.id === caller.memberId) return presentSelf(config, caller)
  caller.requireStaff()
  const row = await findMemberById(db, params.id)
  if (!row || row.erased_at) throw new Refused('not_found')
  return presentUser(db, config, row)
}

export const findMembers: Handler<typeof api.findMembers> = async (
  { body, query },
  { db, config, answer },
) => {
  const filter = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const page = await listAnyMembers(db, filter, query)
  answer.setNext(page.next)
  return Promise.all(page.rows.map((row) => presentUser(db, config, row)))
}

export const listMembers: Handler<typeof api.listMembers> = async ({ query }, { db, config, answer }) => {
  const page = await listAnyMembers(db, {}, query)
  answer.setNext(page.next)
  return Promise.all(page.rows.map((row) => presentUser(db, config, row)))
}

/** The member also sees the unconfirmed new address. */
export async function presentFor(db: Tx, config: Config, row: MemberRow, readerId: string) {
  const pendingEmail = row.id === readerId ? await findPendingEmail(db, row.id) : undefined
  const user = await presentUser(db, config, row)
  return pendingEmail === undefined ? user : { ...user, pendingEmail }
}
