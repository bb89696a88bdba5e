import { shownReference } from '../../platform/text/order-reference.ts'
import type { api } from '#contract/api.ts'
import {
  listedConversation,
  type ListedConversation,
  type Message,
  type OwnConversation,
} from '#contract/people/conversations.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { project } from '../../platform/db/project.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { markSeenAt } from '../../platform/mail/notifications/notification.queries.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import { requireNotErased } from '../kyc/upload-photo.ts'
import { presentAttachment, sendAttachment } from './attachments.ts'
import {
  changeConversation,
  findAttachment,
  findConversationAbout,
  findOwnerOf,
  listAttachmentsOf,
  listConversationsOf,
  listMessages,
  lockOrInsertConversation,
  markRead,
  type ConversationRow,
  type Subject,
} from './conversation.queries.ts'
import { pathToConversation } from './path-to-conversation.ts'
import { postMessage } from './post-message.ts'

/** Only the newest messages are shown. */
export const shownMessagesMax = 200
const perConversationMax = 20
const perMemberMax = 60
const attachmentsPerDayMax = 30

export const listConversations: Handler<typeof api.listConversations> = async (
  { query },
  { db, caller, answer },
) => {
  const { rows, next } = await listConversationsOf(db, caller.memberId, query)
  answer.setNext(next)
  return rows.map(presentRow)
}

const presentRow = (row: ConversationRow): ListedConversation => ({
  ...project(listedConversation, row),
  about: row.about as ListedConversation['about'],
  of: row.order_id ?? row.application_id,
  reference: row.reference === null ? null : shownReference(row.reference),
})

/** Returns the messages with their attachments, in the order of the rows. */
export async function presentMessages(
  db: Tx,
  rows: Awaited<ReturnType<typeof listMessages>>,
): Promise<Message[]> {
  if (rows.length === 0) return []
  const attachments = await listAttachmentsOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, author, text, at }) => ({
    id,
    isFromStaff: author === 'staff',
    text,
    at: at.toISOString(),
    attachments: attachments.filter(({ message_id }) => message_id === id).map(presentAttachment),
  }))
}

async function presentOwn(db: Tx, subject: Subject): Promise<OwnConversation | null> {
  const row = await findConversationAbout(db, subject)
  if (!row) return null
  return {
    ...presentRow(row),
    messages: await presentMessages(db, await listMessages(db, row.id, shownMessagesMax)),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Refuses an order or application of another member in the same way as one that doesn’t exist. */
async function requireOwnSubject(
  db: Tx,
  memberId: string,
  { about, of }: { about: Subject['about']; of?: string | undefined },
): Promise<Subject> {
  if (about === 'account') return { about, of: null, memberId }
  if ((await findOwnerOf(db, about, of)) !== memberId) throw new Refused('not_found')
  return { about, of: of ?? null, memberId }
}

export const findConversation: Handler<typeof api.findConversation> = async ({ query }, { db, caller }) => ({
  conversation: await presentOwn(db, await requireOwnSubject(db, caller.memberId, query)),
})

export const checkConversation: Handler<typeof api.checkConversation> = async ({ query }, { db, caller }) => {
  const row = await findConversationAbout(db, await requireOwnSubject(db, caller.memberId, query))
  return { updatedAt: row?.updated_at.toISOString() ?? null }
}

/** Limits requests before their files are decoded. */
async function requireRoom(
  { db, keys, caller: { memberId } }: MemberContext,
  { about, of }: Subject,
  attachments: number,
): Promise<void> {
  await requireWithinLimits(db, keys, [
    { key: `message ${memberId} ${about} ${of}`, max: perConversationMax, window: HOUR },
    { key: `message ${memberId}`, max: perMemberMax, window: DAY },
  ])
  const ofAttachments = { key: `message attachment ${memberId}`, max: attachmentsPerDayMax, window: DAY }
  for (let counted = 0; counted < attachments; counted += 1)
    await requireWithinLimits(db, keys, [ofAttachments])
}

export const sendMessage: Handler<typeof api.sendMessage> = async ({ body }, context) => {
  const { db, caller } = context
  const subject = await requireOwnSubject(db, caller.memberId, body)
  await requireRoom(context, subject, body.attachments?.length ?? 0)
  await postMessage(context, {
    call: 'sendMessage',
    target: { about: subject.about, of: subject.of },
    author: 'member',
    given: body,
    post: async (db) => {
      await requireNotErased(db, caller.memberId)
      const { id } = await lockOrInsertConversation(db, subject)
      await changeConversation(db, id, { status: 'open', hasMessage: true, isRead: true })
      return id
    },
  })
  return (await presentOwn(db, subject))!
}

export const markConversationRead: Handler<typeof api.markConversationRead> = async (
  { params },
  { db, caller },
) => {
  const row = await markRead(db, caller.memberId, params.id)
  if (!row) throw new Refused('not_found')
  await markSeenAt(db, caller.memberId, pathToConversation(row))
  return { read: true }
}

export const getAttachment: Handler<typeof api.getAttachment> = async ({ params }, context) =>
  sendAttachment(context, await findAttachment(context.db, params.id, { memberId: context.caller.memberId }))
