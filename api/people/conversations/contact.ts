import type { api } from '#contract/api.ts'
import { answerLinkDays, contactDays } from '#contract/people/conversations.ts'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { hashSecret, randomSecret, type Keys } from '../../platform/keys.ts'
import { requireEmailQuota } from '../../platform/mail/email-quota.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import { answerContactLink, confirmContactLink } from '../../platform/site-links.ts'
import {
  changeConversation,
  findByAnswerLink,
  insertAnswerLink,
  insertContact,
  insertMessage,
  listMessages,
  lockAnyConversation,
  proveContact,
  type LockedConversation,
} from './conversation.queries.ts'

const messagesMax = 30
const confirmationsMax = 60
const codeBytes = 24
/** How long the link in the email is valid, in milliseconds. */
export const contactLife = contactDays * DAY
/** How long the link in an answer is valid, in milliseconds. */
export const answerLinkLife = answerLinkDays * DAY
const perConversationMax = 20

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

/** Emails an answer to a visitor, with a link that continues the conversation. Only the hash of its code is stored. */
export async function mailAnswer(
  db: Tx,
  { keys, config }: { keys: Keys; config: Config },
  { id, email, language }: LockedConversation,
  text: string,
): Promise<void> {
  const code = randomSecret(codeBytes)
  await insertAnswerLink(db, { conversation_id: id, code_hash: hashSecret(code) }, answerLinkLife)
  await sendMail(db, keys, { email: email!, language: language! }, 'contact-answer', {
    text,
    link: answerContactLink(config, code),
  })
}

/** Adds a visitor’s message to the conversation that the link belongs to, as a member’s message is added to theirs. */
export const continueContact: Handler<typeof api.continueContact> = async (
  { body: { code, text } },
  { db, keys, request },
) => {
  await requireWithinLimits(db, keys, [
    { key: `contact ${request.client}`, max: messagesMax, window: 15 * MINUTE },
  ])
  const codeHash = hashSecret(code)
  const id = await findByAnswerLink(db, codeHash, answerLinkLife)
  if (id === undefined) throw new Refused('answer_link_invalid')
  await requireWithinLimits(db, keys, [
    { key: `contact answer ${id}`, max: perConversationMax, window: HOUR },
  ])
  await transaction(db, async (db) => {
    await lockAnyConversation(db, id)
    // Staff may have revoked the link, or the conversation may have been erased, in the meantime.
    if ((await findByAnswerLink(db, codeHash, answerLinkLife)) === undefined)
      throw new Refused('answer_link_invalid')
    const [newest] = await listMessages(db, id, 1)
    if (newest?.author === 'member' && newest.text === text) return
    await insertMessage(db, { conversation_id: id, author: 'member', author_id: null, text })
    await changeConversation(db, id, { status: 'open', hasMessage: true })
  })
  return { sent: true }
}
