import { shownReference } from '../../platform/text/order-reference.ts'
import type { api } from '#contract/api.ts'
import {
  consoleConversation,
  conversations,
  type ConsoleConversation,
  type ConsoleConversationDetail,
  type ConversationSubject,
} from '#contract/people/console-conversations.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { project } from '../../platform/db/project.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { serveResource } from '../../platform/resource/serve-resource.ts'
import { readerOf } from '../members/reader.ts'
import { sendAttachment } from './attachments.ts'
import { answerLinkLife } from './contact.ts'
import {
  findConsoleConversation,
  listAuthors,
  listAnswerers,
  listConsoleConversationRows,
  listNotes,
  type ShownConversation,
} from './console-conversation.queries.ts'
import { findAttachment, hasAnswerLink, listMessages } from './conversation.queries.ts'
import { presentMessages, shownMessagesMax } from './own-conversations.ts'
import { presentAssignee } from '../members/present-assignee.ts'

/** The level that a conversation requires. */
export const areaOf = (about: ConversationSubject): 'finance' | 'employee' =>
  about === 'order' || about === 'identity' ? 'finance' : 'employee'

const presentRow = (row: ShownConversation): ConsoleConversation => ({
  ...project(consoleConversation, row),
  of: row.order_id ?? row.application_id,
  reference: row.reference === null ? null : shownReference(row.reference),
  email: row.member_email ?? row.email ?? '',
  name: row.member_name ?? row.name,
  assignee: presentAssignee(row),
})

type Reading = { db: Tx; caller: Caller; config: Config }

/** Undefined if the caller can't see it, which is always so for their own. */
export async function presentConversation(
  { db, caller, config }: Reading,
  id: string,
): Promise<ConsoleConversationDetail | undefined> {
  const row = await findConsoleConversation(db, readerOf(caller), id)
  if (!row) return undefined
  const area = areaOf(row.about)
  const rows = await listMessages(db, id, shownMessagesMax)
  const authors = await listAuthors(db, [
    ...new Set(rows.flatMap(({ author, author_id }) => (author === 'staff' && author_id ? [author_id] : []))),
  ])
  const nameOf = new Map(authors.map((each) => [each.id, each.name]))
  const messages = await presentMessages(db, rows)
  return {
    ...presentRow(row),
    language: row.member_language ?? row.language ?? 'en',
    messages: messages.map((message, at) => {
      const { author_id } = rows[at]!
      return { ...message, by: message.isFromStaff && author_id ? (nameOf.get(author_id) ?? null) : null }
    }),
    notes: (await listNotes(db, id, shownMessagesMax)).map(({ author_id, at, ...note }) => ({
      ...note,
      at: at.toISOString(),
      isRemovable: caller.rights.isWriteAccessAdmin || author_id === caller.memberId,
    })),
    colleagues: await listAnswerers(db, config, { id, level: area }),
    isAnswerable: levelOf(caller.rights, area) === 2,
    hasAnswerLink: row.about === 'visitor' && (await hasAnswerLink(db, id, answerLinkLife)),
  }
}

export const { list: listConsoleConversations, get: getConsoleConversation } = serveResource(conversations, {
  read: ({ db, caller }, filters, page) => listConsoleConversationRows(db, readerOf(caller), filters, page),
  present: (_, rows) => rows.map(presentRow),
  detail: presentConversation,
})

export const checkConsoleConversation: Handler<typeof api.checkConsoleConversation> = async (
  { params: { id } },
  { db, caller },
) => {
  const row = await findConsoleConversation(db, readerOf(caller), id)
  if (!row) throw new Refused('not_found')
  return { updatedAt: row.updated_at.toISOString() }
}

/** Recorded before the file is sent, like the view of an identity photo. */
export const getConversationAttachment: Handler<typeof api.getConversationAttachment> = async (
  { params: { id, attachmentId } },
  context,
) => {
  const { db, caller } = context
  if (!(await findConsoleConversation(db, readerOf(caller), id))) throw new Refused('not_found')
  caller.requireStepUp()
  const file = await sendAttachment(context, await findAttachment(db, attachmentId, { conversationId: id }))
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'conversation-attachment-viewed',
    subjectKind: 'conversation',
    subjectId: id,
  })
  return file
}
