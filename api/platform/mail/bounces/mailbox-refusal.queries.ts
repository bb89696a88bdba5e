import { sql, type SqlBool } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../db/database.ts'
import { ago } from '../../db/expressions.ts'
import { bareRefusals, complaint, type MailFailure } from '../mail-failure.ts'

const now = sql<Date>`now()`
/** How long a mail server may try before it reports, in milliseconds. */
const reportWait = 3 * DAY

/**
 * Marks the mailbox of the member with this address, if there is one. A complaint stays until it is removed,
 * whatever the mailbox refuses.
 */
export async function recordMailboxRefusal(
  db: Tx,
  address: string,
  { error, enhanced }: MailFailure,
  { isReported }: { isReported: boolean },
): Promise<void> {
  const said = { address, error, enhanced: enhanced ?? null, is_reported: isReported }
  await db
    .insertInto('mailbox_refusal')
    .columns(['member_id', 'address', 'error', 'enhanced', 'is_reported'])
    .expression((query) =>
      query
        .selectFrom('member')
        .select((member) => [
          'member.id',
          'member.email',
          member.val(error).as('error'),
          member.val(enhanced ?? null).as('enhanced'),
          member.val(isReported).as('is_reported'),
        ])
        .where('member.email', '=', address)
        .where('member.erased_at', 'is', null),
    )
    .onConflict((conflict) =>
      conflict
        .column('member_id')
        .doUpdateSet({ ...said, refused_at: now, tried_at: now, accepted_at: null, trial_mail_id: null })
        .where(sql<SqlBool>`(excluded.error = ${complaint} or mailbox_refusal.error <> ${complaint})`),
    )
    .execute()
}

const refusals = (db: Tx) =>
  db
    .selectFrom('mailbox_refusal')
    .innerJoin('member', (join) =>
      join.onRef('member.id', '=', 'member_id').onRef('member.email', '=', 'mailbox_refusal.address'),
    )
    .select(['member_id', 'refused_at', 'error', 'enhanced', 'is_reported'])

/** Undefined if the member's address has changed since. */
export const findRefusalOf = (db: Tx, memberId: string) =>
  refusals(db).where('member_id', '=', memberId).executeTakeFirst()

export const findRefusalOfAddress = (db: Tx, address: string) =>
  refusals(db).where('member.email', '=', address).executeTakeFirst()

/**
 * An earlier email to the address was refused without a reason, at least a day ago, and none was accepted
 * since.
 */
export async function wasRefusedBefore(db: Tx, mail: { id: string; to_address: string }): Promise<boolean> {
  const before = await db
    .selectFrom('mail')
    .select('id')
    .where('to_address', '=', mail.to_address)
    .where('id', '!=', mail.id)
    .where('state', '=', 'failed')
    .where('last_error', 'in', bareRefusals)
    .where('changed_at', '<', ago(DAY))
    .where(sql<SqlBool>`tries -> -1 ->> 'step' = 'RCPT TO'`)
    .where(sql<SqlBool>`coalesce(tries -> -1 ->> 'enhanced', '5.0.0') = '5.0.0'`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mail as taken')
            .select('taken.id')
            .where('taken.to_address', '=', mail.to_address)
            .whereRef('taken.sent_at', '>', 'mail.changed_at'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return before !== undefined
}

/**
 * Whether the email may test if the mailbox works: one a day does, with all of its attempts. While it waits for
 * one, no other takes its place.
 */
export async function claimTrial(db: Tx, memberId: string, mailId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailbox_refusal')
    .set((refusal) => ({
      trial_mail_id: mailId,
      tried_at: refusal
        .case()
        .when('trial_mail_id', '=', mailId)
        .then(refusal.ref('tried_at'))
        .else(now)
        .end(),
    }))
    .where('member_id', '=', memberId)
    .where(({ or, eb, and, not, exists, selectFrom }) =>
      or([
        eb('trial_mail_id', '=', mailId),
        and([
          eb('tried_at', '<', ago(DAY)),
          not(
            exists(
              selectFrom('mail')
                .select('mail.id')
                .whereRef('mail.id', '=', 'mailbox_refusal.trial_mail_id')
                .where('mail.state', '=', 'waiting'),
            ),
          ),
        ]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * The server accepted an email. That removes marks from refusals during delivery; a delivery report may still
 * arrive. It says nothing about complaints.
 */
export async function recordAccepted(db: Tx, memberId: string): Promise<void> {
  await db
    .deleteFrom('mailbox_refusal')
    .where('member_id', '=', memberId)
    .where('is_reported', '=', false)
    .execute()
  await db
    .updateTable('mailbox_refusal')
    .set({ accepted_at: sql<Date>`coalesce(accepted_at, now())` })
    .where('member_id', '=', memberId)
    .where('error', '!=', complaint)
    .execute()
}

/** Reached according to the member's code or to staff. False if the mailbox had no mark. */
export async function recordReached(db: Tx, memberId: string): Promise<boolean> {
  await db
    .insertInto('mailbox_reached')
    .values({ member_id: memberId })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet({ reached_at: now }))
    .execute()
  return deleteRefusal(db, memberId)
}

export async function eraseMailboxOf(db: Tx, memberId: string): Promise<void> {
  await deleteRefusal(db, memberId)
  await db.deleteFrom('mailbox_reached').where('member_id', '=', memberId).execute()
}

async function deleteRefusal(db: Tx, memberId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mailbox_refusal')
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Removes refusals of mailboxes that accept emails again, and of former addresses: each member is looked up by
 * key.
 */
export const deletePastRefusals = (db: Tx) =>
  db
    .deleteFrom('mailbox_refusal')
    .where((where) =>
      where.or([
        where('accepted_at', '<', ago(reportWait)),
        where(
          'address',
          'is distinct from',
          where.selectFrom('member').select('email').whereRef('member.id', '=', 'mailbox_refusal.member_id'),
        ),
      ]),
    )
    .execute()
