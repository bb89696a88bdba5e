import type { InvitationFlag } from '#contract/ambassador-results.ts'
import type { Tx } from '../../db/database.ts'
import { readInvitationCode } from '../../readable-codes.ts'
import type { Services } from '../../services.ts'
import {
  addInvited,
  count,
  deleteInvited,
  findInviter,
  hasCountedInvitation,
  listInvitationsOf,
  lockLoops,
  recordMailboxCounted,
  thisWeek,
  updateInvited,
  type InvitedRow,
} from './invitation.queries.ts'
import { appendPoints, reversePoints } from './point.queries.ts'
import { findSuspicions, hashOfMailbox, listInvitersAbove, type Origin } from './abuse-signals.ts'

type Needed = Pick<Services, 'keys' | 'config'>
type Invited = { id: string; email: string }

/**
 * Records that someone signed up with an invitation code, in the transaction of the sign-up. An unknown code changes
 * nothing and is not reported. The caller holds the lock of the member.
 */
export async function recordSignUp(
  db: Tx,
  { keys, config }: Needed,
  invited: Invited,
  { code, origin }: { code: string; origin: Origin },
): Promise<void> {
  const inviter = await findInviter(db, readInvitationCode(code))
  if (!inviter) return
  const flags = await findSuspicions(db, keys, { invited, inviter, origin })
  const row = await addInvited(db, invited.id, inviter.id, flags)
  if (row.flags.length > 0) return row.is_counted ? uncount(db, row) : undefined
  // If an address has several invitations, the first counts until a code activates it.
  if (row.is_counted || (await hasCountedInvitation(db, invited.id))) return
  await countSignUp(db, config, row)
}

/**
 * Records that the address was verified, by a sign-up with that code or by an emailed password link, which names none:
 * then the one counted before stays. The other invitations are deleted, along with their counts.
 */
export async function recordActivation(
  db: Tx,
  { keys, config }: Needed,
  invited: Invited,
  { code, origin }: { code: string | undefined; origin: Origin },
): Promise<void> {
  const rows = await listInvitationsOf(db, invited.id)
  const used = code === undefined ? undefined : readInvitationCode(code)
  const chosen = rows.find((row) => (used === undefined ? row.is_counted : row.code === used))
  for (const row of rows)
    if (row !== chosen) {
      if (row.is_counted) await uncount(db, row)
      await deleteInvited(db, row.id)
    }
  if (!chosen || chosen.ended_at) return
  const inviter = {
    id: chosen.ambassador_id,
    member_id: chosen.inviter_member_id,
    email: chosen.inviter_email,
  }
  const found = await findSuspicions(db, keys, { invited, inviter, origin })
  const flags = [...new Set([...chosen.flags, ...found])]
  if (flags.length === 0 && !(await recordMailboxCounted(db, await hashOfMailbox(db, keys, invited.email))))
    flags.push('same_mailbox')
  if (flags.length > 0) return flag(db, chosen, flags)
  if (!chosen.is_counted) await countSignUp(db, config, chosen)
  await updateInvited(db, chosen.id, { activated_in: thisWeek })
  await count(db, { ambassadorId: chosen.ambassador_id }, 'activations', 1)
  await appendPoints(db, causeOf(chosen, 'activation'), config.ambassadorPoints.activation)
}

/** Records that the member's identity was approved; counted only once. */
export async function recordIdentityApproved(
  db: Tx,
  { config }: Pick<Services, 'config'>,
  memberId: string,
): Promise<void> {
  const row = await findCounted(db, memberId)
  if (!row || row.ended_at || row.activated_in === null || row.identified_in !== null) return
  await updateInvited(db, row.id, { identified_in: thisWeek })
  await count(db, { ambassadorId: row.ambassador_id }, 'identities', 1)
  await appendPoints(db, causeOf(row, 'identity'), config.ambassadorPoints.identity)
}

/** Records that the approval was withdrawn. This reverses the count; the ledger shows both. */
export async function recordIdentityWithdrawn(db: Tx, memberId: string): Promise<void> {
  const row = await findCounted(db, memberId)
  if (row?.identified_in) await reverseIdentity(db, row)
}

/** Records that the address was never verified and the caller deletes its member. This reverses the count. */
export async function recordDeletedSignUp(db: Tx, memberId: string): Promise<void> {
  const row = await findCounted(db, memberId)
  if (row) await uncount(db, row)
}

/**
 * Records that an ambassador joined with an account that may itself have been invited: a circle of invitations doesn't
 * count for anyone.
 */
export async function recordLoops(db: Tx, memberId: string): Promise<void> {
  await lockLoops(db)
  const chain = await listInvitersAbove(db, memberId)
  const end = chain.findIndex((each) => each.inviter_member_id === memberId)
  for (const row of chain.slice(0, end + 1))
    await flag(db, row, [...new Set([...row.flags, 'loop' as const])])
}

const findCounted = async (db: Tx, memberId: string) =>
  (await listInvitationsOf(db, memberId)).find((row) => row.is_counted)

const causeOf = (
  { ambassador_id, member_id }: Pick<InvitedRow, 'ambassador_id' | 'member_id'>,
  cause: 'signup' | 'activation' | 'identity',
) => ({ ambassadorId: ambassador_id, memberId: member_id, cause })

type Row = Pick<
  InvitedRow,
  'id' | 'ambassador_id' | 'member_id' | 'is_counted' | 'signed_up_in' | 'activated_in' | 'identified_in'
>

async function countSignUp(db: Tx, config: Services['config'], row: Row): Promise<void> {
  await updateInvited(db, row.id, { is_counted: true })
  await count(db, { ambassadorId: row.ambassador_id, week: row.signed_up_in }, 'sign_ups', 1)
  await appendPoints(db, causeOf(row, 'signup'), config.ambassadorPoints.signup)
}

async function flag(db: Tx, row: Row, flags: readonly InvitationFlag[]): Promise<void> {
  await updateInvited(db, row.id, { flags })
  if (row.is_counted) await uncount(db, row)
}

/** Reverses everything that was counted for an invitation. */
async function uncount(db: Tx, row: Row): Promise<void> {
  if (row.identified_in) await reverseIdentity(db, row)
  if (row.activated_in)
    await count(db, { ambassadorId: row.ambassador_id, week: row.activated_in }, 'activations', -1)
  await count(db, { ambassadorId: row.ambassador_id, week: row.signed_up_in }, 'sign_ups', -1)
  await reversePoints(db, causeOf(row, 'activation'))
  await reversePoints(db, causeOf(row, 'signup'))
  await updateInvited(db, row.id, { is_counted: false })
}

async function reverseIdentity(db: Tx, row: Row): Promise<void> {
  await count(db, { ambassadorId: row.ambassador_id, week: row.identified_in }, 'identities', -1)
  await reversePoints(db, causeOf(row, 'identity'))
  await updateInvited(db, row.id, { identified_in: null })
}
