import type { api } from '#contract/api.ts'
import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { hashSecret } from '../../platform/keys.ts'
import {
  deleteAntiPhishingPhrase,
  findAntiPhishingPhrase,
  storeAntiPhishingPhrase,
} from '../../platform/mail/anti-phishing-phrase.queries.ts'
import { findRefusalOf } from '../../platform/mail/bounces/mailbox-refusal.queries.ts'
import { requireEmailQuota } from '../../platform/mail/email-quota.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { mailMailboxCode } from '../members/send-verification-code.ts'
import { consumeMailboxCode } from '../members/mailbox-code.queries.ts'
import {
  getMemberById,
  lockMember,
  recordAddressVerified,
  type MemberRow,
} from '../members/member.queries.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { normalizeCode } from '../../platform/text/readable-codes.ts'
import { Refused } from '../../platform/refused.ts'
import { resetRequestLink } from '../../platform/site-links.ts'

/**
 * A code rather than a link that works by itself: the owner of a mailbox must not verify a stranger's account
 * with a click. The code is typed where the account is used.
 */
export const requestVerificationCode: Handler<typeof api.requestVerificationCode> = async (
  _,
  { db, keys, config, caller },
) => {
  const { email } = await getMemberById(db, caller.memberId)
  // A code that is not emailed must not replace one that was.
  const asked = { email, client: caller.memberId, sort: 'email-change', ownerId: caller.memberId } as const
  await requireEmailQuota(db, keys, { ...asked, of: 'account' })
  await transaction(db, async (db) => {
    const member = await lockMember(db, caller.memberId)
    if (!member?.active || member.email !== email || (await isKnown(db, member)))
      throw new Refused('conflict')
    await mailMailboxCode(db, { keys, config }, member)
  })
  return { sent: true }
}

/** The account's user reads the mailbox, as far as we know: no email was refused since. */
const isKnown = async (db: Tx, { id, address_proved_at }: MemberRow): Promise<boolean> =>
  address_proved_at !== null && (await findRefusalOf(db, id)) === undefined

export const verifyEmail: Handler<typeof api.verifyEmail> = async ({ body }, { db, keys, caller }) => {
  await requireWithinLimits(db, keys, [
    { key: `prove-mailbox ${caller.memberId}`, max: 10, window: 15 * MINUTE },
  ])
  await transaction(db, async (db) => {
    const member = await lockMember(db, caller.memberId)
    const isRight = await consumeMailboxCode(db, caller.memberId, hashSecret(normalizeCode(body.code)))
    if (!member?.active || !isRight) throw new Refused('code_invalid')
    await recordAddressVerified(db, member.id)
    await recordAudit(db, {
      actorId: member.id,
      action: 'mailbox-proved',
      subjectKind: 'member',
      subjectId: member.id,
    })
  })
  return { proved: true }
}

export const getAntiPhishingPhrase: Handler<typeof api.getAntiPhishingPhrase> = async (
  _,
  { db, keys, caller },
) => ({
  phrase: (await findAntiPhishingPhrase(db, keys, caller.memberId)) ?? '',
})

/**
 * A notice of a change contains the phrase that the member knows; the notice of the first phrase contains the
 * new one.
 */
export const setAntiPhishingPhrase: Handler<typeof api.setAntiPhishingPhrase> = async (
  { body },
  { db, keys, config, caller },
) => {
  await requireWithinLimits(db, keys, [{ key: `phrase ${caller.memberId}`, max: 10, window: HOUR }])
  await transaction(db, async (db) => {
    const member = await lockMember(db, caller.memberId)
    if (!member?.active) throw new Refused('session_expired')
    const before = (await findAntiPhishingPhrase(db, keys, member.id)) ?? ''
    if (before === body.phrase) return
    const kind = before === '' ? 'phrase-set' : body.phrase === '' ? 'phrase-removed' : 'phrase-changed'
    const notify = () => sendMail(db, keys, member, kind, { resetLink: resetRequestLink(config) })
    if (before !== '') await notify()
    if (body.phrase === '') await deleteAntiPhishingPhrase(db, member.id)
    else await storeAntiPhishingPhrase(db, keys, member.id, body.phrase)
    if (before === '') await notify()
    await recordAudit(db, { actorId: member.id, action: kind, subjectKind: 'member', subjectId: member.id })
  })
  return { phrase: body.phrase }
}
