import type { InvitationFlag } from '#contract/ambassador-results.ts'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../keys.ts'
import { isDisposable } from './disposable-domains.ts'
import {
  areOneMailbox,
  isMailboxCounted,
  isMailboxOfAnother,
  listInvitationsOf,
  mailboxOf,
  type Inviter,
} from './invitation.queries.ts'

/**
 * Known origin of a sign-up, from data stored anyway: the accounts that its browser signed in to before, and the places
 * where these are signed in now.
 */
export type Origin = {
  isBrowserOf(memberIds: readonly string[]): Promise<boolean>
  isNetworkOf(memberIds: readonly string[]): Promise<boolean>
}

type Invited = { id: string; email: string }

export const hashOfMailbox = async (
  db: Tx,
  keys: Pick<Keys, 'fingerprint'>,
  email: string,
): Promise<string> => keys.fingerprint(Buffer.from(`counted mailbox ${await mailboxOf(db, email)}`))

/** Returns why the sign-up does not count; empty if it does. */
export async function findSuspicions(
  db: Tx,
  keys: Pick<Keys, 'fingerprint'>,
  { invited, inviter, origin }: { invited: Invited; inviter: Inviter; origin: Origin },
): Promise<InvitationFlag[]> {
  const { email } = invited
  const own = inviter.member_id === null ? [] : [inviter.member_id]
  const above = inviter.member_id === null ? [] : await listInvitersAbove(db, inviter.member_id)
  const isLoop =
    (await areOneMailbox(
      db,
      email,
      above.flatMap((each) => each.inviter_email ?? []),
    )) || (await origin.isBrowserOf(above.flatMap((each) => each.inviter_member_id ?? [])))
  const isKnown =
    (await isMailboxOfAnother(db, invited)) ||
    (await isMailboxCounted(db, await hashOfMailbox(db, keys, email)))
  const found: [InvitationFlag, boolean][] = [
    ['own_mailbox', inviter.email !== null && (await areOneMailbox(db, email, [inviter.email]))],
    ['own_browser', await origin.isBrowserOf(own)],
    ['own_network', await origin.isNetworkOf(own)],
    ['loop', isLoop],
    ['throwaway_domain', isDisposable(email)],
    ['subaddress', email.slice(0, email.lastIndexOf('@')).includes('+')],
    ['same_mailbox', isKnown],
  ]
  return found.flatMap(([flag, is]) => (is ? [flag] : []))
}

/** Maximum length of a chain of invitations, which limits the queries; no real chain is this long. */
const chainMax = 20

/** Lists the invitations of the member's inviter, that inviter's inviter, and so on; each once, nearest first. */
export async function listInvitersAbove(db: Tx, memberId: string) {
  const chain: Awaited<ReturnType<typeof listInvitationsOf>> = []
  let at: string | null = memberId
  while (at !== null && chain.length < chainMax) {
    const [invitation] = await listInvitationsOf(db, at)
    if (!invitation || chain.some(({ id }) => id === invitation.id)) break
    chain.push(invitation)
    at = invitation.inviter_member_id
  }
  return chain
}
