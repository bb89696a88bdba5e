import type { InvitationFlag } from '#contract/people/ambassador-results.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Keys } from '../../../platform/keys.ts'
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

/** Domains of disposable mailboxes, including their subdomains. */
const domains = new Set(
  `0-mail.com 10mail.org 10minutemail.com 10minutemail.net 20minutemail.com 33mail.com anonaddy.me anonbox.net
  burnermail.io byom.de cock.li crazymailing.com cuvox.de deadaddress.com discard.email discardmail.com discardmail.de
  dispostable.com dropmail.me easytrashmail.com einrot.com emailfake.com emailondeck.com emailtemporanea.net
  fakeinbox.com fakemail.net fakemailgenerator.com filzmail.com fleckens.hu generator.email getairmail.com
  getnada.com grr.la guerrillamail.biz guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net
  guerrillamail.org guerrillamailblock.com gustr.com harakirimail.com inboxalias.com inboxbear.com inboxkitten.com
  incognitomail.org jetable.org jourrapide.com kasmail.com linshiyouxiang.net linshiyou.com mail-temp.com
  mail-temporaire.fr mail.tm mailcatch.com maildrop.cc mailexpire.com mailforspam.com mailinator.com mailinator.net
  mailinator2.com mailmoat.com mailnesia.com mailnull.com mailpoof.com mailsac.com mailshell.com mailtemp.info
  mailtothis.com meltmail.com minutemail.com mintemail.com moakt.com mohmal.com mytemp.email mytrashmail.com nada.email
  no-spam.ws nowmymail.com one-time.email owlymail.com pokemail.net rhyta.com sharklasers.com shieldemail.com
  smailpro.com snapmail.cc sneakemail.com sofort-mail.de spam4.me spambog.com spambox.us spamex.com spamfree24.org
  spamgourmet.com spamhole.com superrito.com teleworm.us temp-mail.io temp-mail.org temp-mail.ru tempail.com
  tempinbox.com tempm.com tempmail.com tempmail.dev tempmail.net tempmail.plus tempmailaddress.com tempmailo.com
  tempr.email temporary-mail.net thankyou2010.com throwam.com throwawaymail.com tmail.ws tmailor.com tmpmail.net
  tmpmail.org trash-mail.com trash-mail.de trashmail.com trashmail.de trashmail.io trashmail.me trashmail.net
  trbvm.com wegwerfemail.de wegwerfmail.de wegwerfmail.net wegwerfmail.org yopmail.com yopmail.fr yopmail.net
  zetmail.com`.split(/\s+/),
)

export function isDisposable(email: string): boolean {
  const parts = email.slice(email.lastIndexOf('@') + 1).split('.')
  return parts.some((_, index) => domains.has(parts.slice(index).join('.')))
}
