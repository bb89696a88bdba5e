import { sql, type SqlBool } from 'kysely'
import type { Rights } from '#contract/people/level-of.ts'
import {
  staffInvitations,
  type staffInvitationStates,
  type StaffInvitationFilters,
} from '#contract/people/staff-invitations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { fromNow, literalInLike, selectStaffNameWithAddress } from '../../platform/db/expressions.ts'
import { readList } from '../../platform/db/read-list.ts'
import type { Page } from '../../platform/db/read-page.ts'
import type { MemberRow } from '../members/member.queries.ts'

const state = sql<(typeof staffInvitationStates)[number]>`case
  when invitation.accepted_at is not null then 'accepted'
  when invitation.revoked_at is not null then 'revoked'
  when invitation.expires_at <= now() then 'expired'
  else 'open' end`

/** An administrator who has lost the right must not have left it to someone else. */
const isByAdministrator = sql<SqlBool>`exists (select from member inviter
  where inviter.id = staff_invitation.invited_by and inviter.active and inviter.is_write_access_admin)`

const shownInvitations = (db: Tx) =>
  db
    .selectFrom('staff_invitation as invitation')
    .leftJoin('member as inviter', 'inviter.id', 'invitation.invited_by')
    .selectAll('invitation')
    .select([state.as('state'), selectStaffNameWithAddress('inviter').as('inviter_name')])

export const listInvitations = (db: Tx, filters: StaffInvitationFilters, page: Page) =>
  readList(
    staffInvitations,
    {
      rows: shownInvitations(db),
      where: {
        q: (rows, q) => rows.where('invitation.email', 'like', `%${literalInLike(q.toLowerCase())}%`),
        state: (rows, wanted) => rows.where(sql<SqlBool>`${state} = ${wanted}`),
      },
      sortBy: { sent: 'invitation.sent_at' },
      id: 'invitation.id',
    },
    filters,
    page,
  )

export type InvitationRow = NonNullable<Awaited<ReturnType<typeof getInvitation>>>

export const getInvitation = (db: Tx, id: string) =>
  shownInvitations(db).where('invitation.id', '=', id).executeTakeFirst()

export const findInvitedMember = (db: Tx, id: string) =>
  db.selectFrom('staff_invitation').select('member_id').where('id', '=', id).executeTakeFirst()

type NewInvitation = {
  member: Pick<MemberRow, 'id' | 'email'>
  rights: Rights
  inviterId: string
  /** Milliseconds. */
  life: number
}

/** The caller has locked the member and revoked earlier invitations. */
export async function insertInvitation(
  db: Tx,
  { member, rights, inviterId, life }: NewInvitation,
): Promise<string> {
  const { id } = await db
    .insertInto('staff_invitation')
    .values({
      member_id: member.id,
      email: member.email,
      is_write_access_admin: rights.isWriteAccessAdmin,
      manage_news: rights.manageNews,
      manage_employee: rights.manageEmployee,
      manage_finance: rights.manageFinance,
      manage_coins: rights.manageCoins,
      invited_by: inviterId,
      expires_at: fromNow(life),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Also extends an expired one. Returns false if it was accepted or revoked. The caller has locked the member. */
export async function renewInvitation(db: Tx, id: string, inviterId: string, life: number): Promise<boolean> {
  const row = await db
    .updateTable('staff_invitation')
    .set({ invited_by: inviterId, sent_at: sql<Date>`now()`, expires_at: fromNow(life) })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Revokes what the member could still accept. Returns the number of invitations: 0 or 1. */
export async function revokeInvitations(db: Tx, memberId: string, revokedBy: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('staff_invitation')
    .set({ revoked_at: sql<Date>`now()`, revoked_by: revokedBy })
    .where('member_id', '=', memberId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The invitation that the member accepts by choosing a password by email, with the inviter's name. */
export const findOpenInvitation = (db: Tx, { id, email }: Pick<MemberRow, 'id' | 'email'>) =>
  db
    .selectFrom('staff_invitation')
    .innerJoin('member as inviter', 'inviter.id', 'staff_invitation.invited_by')
    .selectAll('staff_invitation')
    .select(selectStaffNameWithAddress('inviter').as('inviter_name'))
    .where('staff_invitation.member_id', '=', id)
    .where('staff_invitation.email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(isByAdministrator)
    .executeTakeFirst()

/** The caller has locked the member, and so everything that changes the invitation waits. */
export async function acceptInvitation(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('staff_invitation')
    .set({ accepted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function deleteInvitationsOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('staff_invitation').where('member_id', '=', memberId).execute()
}
