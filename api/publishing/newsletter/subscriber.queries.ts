import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import {
  endedDays,
  pendingDays,
  type NewsChoice,
  type SubscriberEnd,
  type SubscriberState,
} from '#contract/publishing/newsletter.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, fromNow } from '../../platform/db/expressions.ts'

const now = sql<Date>`now()`

export const findSubscriber = (db: Tx, id: string) =>
  db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirst()

export type SubscriberRow = NonNullable<Awaited<ReturnType<typeof findSubscriber>>>

export const lockSubscriber = (db: Tx, id: string) =>
  db.selectFrom('subscriber').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findSubscriberByEmail = (db: Tx, email: string) =>
  db.selectFrom('subscriber').selectAll().where('email', '=', email).executeTakeFirst()

const choiceOf = ({ language, categories, rhythm }: NewsChoice) => ({ language, categories, rhythm })

/** Readers who switch from the digest to single posts get the week's posts so far in the next digest. */
const changeTo = (choice: NewsChoice) => ({
  ...choiceOf(choice),
  left_weekly_at: sql<Date | null>`case
    when state <> 'active' or ${choice.rhythm}::news_rhythm = 'weekly' then null
    when rhythm = 'weekly' then now()
    else left_weekly_at end`,
})

type New = NewsChoice & { email: string; linkSecret: string; wording: string }

/**
 * The locked row of the address, created if missing: of two concurrent requests the second sees the result of
 * the first. `age_ms`: time since the last email caused by someone typing the address.
 */
export async function lockOrInsertSubscriber(db: Tx, { email, linkSecret, wording, ...choice }: New) {
  await db
    .insertInto('subscriber')
    .values({ email, link_secret: linkSecret, consent_wording: wording, ...choiceOf(choice) })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute()
  return db
    .selectFrom('subscriber')
    .selectAll()
    .select(sql<string | null>`extract(epoch from now() - mailed_at) * 1000`.as('mailed_ms'))
    .select(sql<boolean>`coalesce(code_until > now(), false)`.as('has_code'))
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Awaits a confirmation. Earlier consent has ended. */
export async function askSubscriber(
  db: Tx,
  id: string,
  asked: NewsChoice & { codeHash: string; linkSecret: string; wording: string },
): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({
      ...changeTo(asked),
      ...notEnded,
      state: 'pending',
      asked_at: now,
      mailed_at: now,
      code_hash: asked.codeHash,
      code_until: fromNow(pendingDays * DAY),
      link_secret: asked.linkSecret,
      consented_at: null,
      consent_wording: asked.wording,
      consent_way: null,
    })
    .where('id', '=', id)
    .execute()
}

const notEnded = { ended_at: null, ended_by: null, end_reason: null }

export async function recordMailed(db: Tx, id: string): Promise<void> {
  await db.updateTable('subscriber').set({ mailed_at: now }).where('id', '=', id).execute()
}

/** Only the first use counts as consent; repeating the code changes nothing. */
export const confirmByCode = (db: Tx, codeHash: string) =>
  db
    .updateTable('subscriber')
    .set({
      state: 'active',
      consented_at: sql<Date>`case when state = 'active' then consented_at else now() end`,
      consent_way: sql<string>`case when state = 'active' then consent_way else 'form' end`,
    })
    .where('code_hash', '=', codeHash)
    .where('code_until', '>', now)
    .where('state', 'in', ['pending', 'active'])
    .returningAll()
    .executeTakeFirst()

export const setChoice = (db: Tx, id: string, choice: NewsChoice) =>
  db
    .updateTable('subscriber')
    .set(changeTo(choice))
    .where('id', '=', id)
    .where('state', '!=', 'ended')
    .returningAll()
    .executeTakeFirst()

/** By a member with a verified address. */
export async function activateOwn(
  db: Tx,
  own: New & { memberId: string; id: string; isActive: boolean },
): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({
      ...changeTo(own),
      ...notEnded,
      member_id: own.memberId,
      state: 'active',
      code_hash: null,
      code_until: null,
      ...(!own.isActive && {
        asked_at: now,
        consented_at: now,
        consent_wording: own.wording,
        consent_way: 'account',
        link_secret: own.linkSecret,
      }),
    })
    .where('id', '=', own.id)
    .execute()
}

/** A code still in transit no longer confirms anything. False if it had already ended. */
export async function markEnded(
  db: Tx,
  id: string,
  by: SubscriberEnd,
  reason: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('subscriber')
    .set({
      state: 'ended',
      ended_at: now,
      ended_by: by,
      end_reason: reason,
      code_hash: null,
      code_until: null,
    })
    .where('id', '=', id)
    .where('state', '!=', 'ended')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type Owner = { id: string; email: string; address_proved_at: Date | null }

/** Subscribed from the account, or with its address once the member has verified it. */
export const listSubscribersOf = (db: Tx, { id, email, address_proved_at }: Owner) =>
  db
    .selectFrom('subscriber')
    .selectAll()
    .where(({ or, eb }) =>
      or([eb('member_id', '=', id), ...(address_proved_at ? [eb('email', '=', email)] : [])]),
    )
    .orderBy('asked_at')
    .execute()

export async function deleteSubscriber(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('subscriber').where('id', '=', id).execute()
}

export async function deletePastSubscribers(db: Tx): Promise<void> {
  await db
    .deleteFrom('subscriber')
    .where('state', '=', 'pending')
    .where('asked_at', '<', ago(pendingDays * DAY))
    .execute()
  await db
    .deleteFrom('subscriber')
    .where('state', '=', 'ended')
    .where('ended_at', '<', ago(endedDays * DAY))
    .execute()
}

/** Subscriptions of members whose address has changed, with the new address. Locked. */
export async function lockMoved(
  db: Tx,
  memberId?: string,
): Promise<{ id: string; state: SubscriberState; email: string }[]> {
  const { rows } = await sql<{ id: string; state: SubscriberState; email: string }>`
    select subscriber.id, subscriber.state, member.email from subscriber join member on member.id = subscriber.member_id
    where member.email <> subscriber.email and member.address_proved_at is not null
      and ${memberId === undefined ? sql`subscriber.is_moved` : sql`member.id = ${memberId}`}
    order by subscriber.id for update of subscriber`.execute(db)
  return rows
}

export const lockSubscriberByEmail = (db: Tx, email: string) =>
  db.selectFrom('subscriber').selectAll().where('email', '=', email).forUpdate().executeTakeFirst()

/** Subscriptions whose address is their member's again. */
export async function unmarkMoved(db: Tx): Promise<void> {
  await sql`
    update subscriber set is_moved = false from member
    where subscriber.is_moved and member.id = subscriber.member_id and member.email = subscriber.email`.execute(
    db,
  )
}

export async function setSubscriberEmail(db: Tx, id: string, email: string): Promise<void> {
  await db.updateTable('subscriber').set({ email }).where('id', '=', id).execute()
}

/** Number of confirmed subscribers per language and category. */
export async function countSubscribers(db: Tx) {
  const { rows } = await sql<{
    language: NewsChoice['language']
    category: string
    rhythm: NewsChoice['rhythm']
    count: number
  }>`
    select language, category, rhythm, count(*)::int as count
    from subscriber, unnest(categories) as category
    where state = 'active'
    group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}
