import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { selectStaffNameWithAddress, staffName } from '../../platform/db/expressions.ts'
import { erasedMembers } from '../../people/members/member.queries.ts'

/** Whether the member changed or decided on other members' orders, imported payments, or acted on payouts. */
const hasHandledOrders = (memberId: string) => sql<boolean>`exists (
  select from audit_entry e left join token_order o on o.id = e.subject_id
  where e.actor_id = ${memberId} and e.subject_kind in ('order', 'payout') and e.action !~ '-(listed|viewed)$'
    and o.member_id is distinct from ${memberId})`

export async function isOrderOfficer(db: Tx, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .select(hasHandledOrders(memberId).as('is_officer'))
    .where('id', '=', memberId)
    .executeTakeFirst()
  return row?.is_officer ?? false
}

/** Called before the member's row is emptied. */
export async function retainOrderOfficer(db: Tx, memberId: string): Promise<void> {
  await db
    .insertInto('order_officer')
    .columns(['member_id', 'display_name', 'email'])
    .expression((query) =>
      query
        .selectFrom('member')
        .select(['id', 'display_name', 'email'])
        .where('id', '=', memberId)
        .where('erased_at', 'is', null)
        .where(hasHandledOrders(memberId)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteOfficersErasedBefore(db: Tx, age: number): Promise<void> {
  await db.deleteFrom('order_officer').where('member_id', 'in', erasedMembers(db, age)).execute()
}

const retained = (member: string, column: RawBuilder<unknown>) =>
  sql`(select ${column} from order_officer officer where officer.member_id = ${sql.ref(`${member}.id`)})`

/** Like `staffName`, also for staff who erased their account. */
export const officerName = (member: string): RawBuilder<string | null> =>
  sql<string | null>`coalesce(${retained(member, staffName('officer'))}, ${staffName(member)})`

/** Like `selectStaffNameWithAddress`, also for staff who erased their account. */
export const officerNameWithAddress = (member: string): RawBuilder<string | null> =>
  sql<string | null>`coalesce(${retained(member, selectStaffNameWithAddress('officer'))},
    ${selectStaffNameWithAddress(member)})`

/** Selects the name of the officer whose ID a column has. */
export const nameOfOfficerIn = (column: string): RawBuilder<string | null> =>
  sql<string | null>`(select ${officerNameWithAddress('officer_of')} from member officer_of
    where officer_of.id = ${sql.ref(column)})`

/** The email address, also of staff who erased their account. */
export const officerEmail = (member: string): RawBuilder<string | null> =>
  sql<string | null>`coalesce(${retained(member, sql.ref('officer.email'))}, ${sql.ref(`${member}.email`)})`

/** The name of staff who erased their account; null if it isn't retained. */
export const erasedOfficerName = (member: string): RawBuilder<string | null> =>
  sql<string | null>`${retained(member, staffName('officer'))}`
