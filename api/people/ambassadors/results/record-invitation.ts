import type { InvitationCause, InvitationFlag } from '#contract/people/ambassador-results.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { readInvitationCode } from '../../../platform/text/readable-codes.ts'
import type { Services } from '../../../platform/services.ts'
import {
  addInvited,
  appendPoints,
  count,
  deleteInvited,
  findInviter,
  hasCountedInvitation,
  listInvitationsOf,
  lockLoops,
  recordMailboxCounted,
  reversePoints,
  thisWeek,
  updateInvited,
  type InvitedRow,
} from './invitation.queries.ts'
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
  await credit(db, config, chosen, 'activation')
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
  await credit(db, config, row, 'identity')
}

/** Records that the approval was withdrawn. This reverses the count; the ledger shows both. */
export async function recordIdentityWithdrawn(db: Tx, memberId: string): Promise<void> {
  const row = await findCounted(db, memberId)
  if (row) await reverseIdentity(db, row)
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

type Row = Pick<
  InvitedRow,
  'id' | 'ambassador_id' | 'member_id' | 'is_counted' | 'signed_up_in' | 'activated_in' | 'identified_in'
>

const steps = {
  signup: { week: 'signed_up_in', figure: 'sign_ups' },
  activation: { week: 'activated_in', figure: 'activations' },
  identity: { week: 'identified_in', figure: 'identities' },
} as const

/** Counts a step of an invitation, in the week in which it happened or, if it happens now, the current one. */
async function credit(db: Tx, config: Services['config'], row: Row, cause: InvitationCause): Promise<void> {
  const { ambassador_id: ambassadorId, member_id: memberId } = row
  const { week, figure } = steps[cause]
  await count(db, { ambassadorId, week: row[week] }, figure, 1)
  await appendPoints(db, { ambassadorId, memberId, cause }, config.ambassadorPoints[cause])
}

async function countSignUp(db: Tx, config: Services['config'], row: Row): Promise<void> {
  await updateInvited(db, row.id, { is_counted: true })
  await credit(db, config, row, 'signup')
}

async function flag(db: Tx, row: Row, flags: readonly InvitationFlag[]): Promise<void> {
  await updateInvited(db, row.id, { flags })
  if (row.is_counted) await uncount(db, row)
}

/** Reverses everything that was counted for an invitation. */
async function uncount(db: Tx, row: Row): Promise<void> {
  await reverseIdentity(db, row)
  await reverse(db, row, 'activation')
  await reverse(db, row, 'signup')
  await updateInvited(db, row.id, { is_counted: false })
}

async function reverseIdentity(db: Tx, row: Row): Promise<void> {
  if (!row.identified_in) return
  await reverse(db, row, 'identity')
  await updateInvited(db, row.id, { identified_in: null })
}

async function reverse(db: Tx, row: Row, cause: InvitationCause): Promise<void> {
  const { week, figure } = steps[cause]
  if (!row[week]) return
  await count(db, { ambassadorId: row.ambassador_id, week: row[week] }, figure, -1)
  await reversePoints(db, { memberId: row.member_id, cause })
}
