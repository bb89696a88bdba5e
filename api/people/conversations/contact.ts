import type { api } from '#contract/api.ts'
import { contactDays } from '#contract/people/conversations.ts'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { transaction } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { hashSecret, randomSecret } from '../../platform/keys.ts'
import { requireEmailQuota } from '../../platform/mail/email-quota.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import { confirmContactLink } from '../../platform/site-links.ts'
import { insertContact, insertMessage, proveContact } from './conversation.queries.ts'

const messagesMax = 30
const confirmationsMax = 60
const codeBytes = 24
/** How long the link in the email is valid, in milliseconds. */
export const contactLife = contactDays * DAY

/**
 * Stores a visitor’s message and emails a link that verifies the address. If no email can be sent, the message is
 * refused, so that the visitor knows and can send it later.
 */
export const contactStaff: Handler<typeof api.contactStaff> = async (
  { body: { email, name = '', text } },
  { db, keys, config, request: { client, language } },
) => {
  await requireWithinLimits(db, keys, [{ key: `contact ${client}`, max: messagesMax, window: 15 * MINUTE }])
  await requireEmailQuota(db, keys, { email, client, sort: 'contact', of: 'contact' })
  const code = randomSecret(codeBytes)
  await transaction(db, async (db) => {
    const id = await insertContact(db, { email, name, language, code_hash: hashSecret(code) })
    await insertMessage(db, { conversation_id: id, author: 'member', author_id: null, text })
    await sendMail(db, keys, { email, language }, 'contact-confirm', {
      link: confirmContactLink(config, code),
    })
  })
  return { sent: true }
}

export const confirmContact: Handler<typeof api.confirmContact> = async ({ body }, { db, keys, request }) => {
  await requireWithinLimits(db, keys, [
    { key: `contact confirm ${request.client}`, max: confirmationsMax, window: 15 * MINUTE },
  ])
  if (!(await proveContact(db, hashSecret(body.code), contactLife))) throw new Refused('code_invalid')
  return { confirmed: true }
}
