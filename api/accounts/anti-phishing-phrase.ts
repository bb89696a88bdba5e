import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { sendMail } from '../mail/send-mail.ts'
import { resetRequestLink } from '../site-links.ts'
import { Refused } from '../refused.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import {
  deleteAntiPhishingPhrase,
  findAntiPhishingPhrase,
  storeAntiPhishingPhrase,
} from '../mail/anti-phishing-phrase.queries.ts'
import { lockMember } from '../members/member.queries.ts'

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
