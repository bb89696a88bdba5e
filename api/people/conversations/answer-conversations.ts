import type { api } from '#contract/api.ts'
import type { ConsoleConversationDetail } from '#contract/people/console-conversations.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { messagesLink } from '../../platform/site-links.ts'
import { getMemberById } from '../members/member.queries.ts'
import { readerOf } from '../members/reader.ts'
import { mailAnswer } from './contact.ts'
import { findConsoleConversation, listAnswerers } from './console-conversation.queries.ts'
import {
  changeConversation,
  deleteAnswerLinks,
  deleteNote,
  findConversationAbout,
  findOwnerOf,
  insertMessage,
  lockAnyConversation,
  lockOrInsertConversation,
  type LockedConversation,
} from './conversation.queries.ts'
import { pathToConversation } from './path-to-conversation.ts'
import { postMessage } from './post-message.ts'
import { areaOf, presentConversation } from './read-console-conversations.ts'

/** How long after an email about an unread message the next one is sent, in milliseconds. */
const mailPause = DAY
const answersMax = 200

type Acting = Pick<MemberContext, 'caller' | 'keys' | 'config'>

/** Locks a conversation that the caller can answer. One they can't see doesn’t exist for them. */
async function lockAnswerable(db: Tx, { caller }: Acting, id: string): Promise<LockedConversation> {
  const row = await lockAnyConversation(db, id)
  if (!row || !(await findConsoleConversation(db, readerOf(caller), id))) throw new Refused('not_found')
  if (levelOf(caller.rights, areaOf(row.about)) < 2) throw new Refused('forbidden')
  return row
}

/** Locks it as `lockAnswerable` does, and refuses the call if anything was written or changed since the caller read it. */
async function lockAsRead(
  db: Tx,
  context: Acting,
  id: string,
  updatedAt: string,
): Promise<LockedConversation> {
  const row = await lockAnswerable(db, context, id)
  if (row.updated_at.toISOString() !== updatedAt) throw new Refused('conflict')
  return row
}

const record = (
  db: Tx,
  { caller }: Acting,
  subjectId: string,
  entry: { action: AuditActionOn<'conversation'>; detail?: Record<string, string> },
) =>
  recordAudit(db, {
    actorId: caller.memberId,
    subjectKind: 'conversation',
    subjectId,
    ...entry,
  })

async function present(context: MemberContext, id: string): Promise<ConsoleConversationDetail> {
  const found = await presentConversation(context, id)
  if (!found) throw new Refused('not_found')
  return found
}

const requireRoom = ({ db, keys, caller }: MemberContext) =>
  requireWithinLimits(db, keys, [
    { key: `conversation answer ${caller.memberId}`, max: answersMax, window: HOUR },
  ])

/** Changes the conversation for a new message of staff, and notifies the member or sends the visitor the answer. */
async function recordAnswer(db: Tx, context: Acting, row: LockedConversation, text: string): Promise<void> {
  const isMailed = await notifyReader(db, context, row, text)
  await changeConversation(db, row.id, {
    status: 'waiting',
    hasMessage: true,
    assignee_id: row.assignee_id ?? context.caller.memberId,
    ...(isMailed && { isMailed }),
  })
}

/** A member who hasn't read the message that an earlier email announced gets the next email only after some time. */
async function notifyReader(
  db: Tx,
  { keys, config }: Acting,
  row: LockedConversation,
  text: string,
): Promise<true | undefined> {
  const { member_id, read_at, mailed_at } = row
  if (member_id === null) {
    await mailAnswer(db, { keys, config }, row, text)
    return true
  }
  const isUnread = mailed_at !== null && (read_at === null || read_at < mailed_at)
  if (isUnread && Date.now() - mailed_at.getTime() < mailPause) return undefined
  const member = await getMemberById(db, member_id)
  const reader = { ...member, opens: pathToConversation(row) }
  await sendMail(db, keys, reader, 'message-received', { link: messagesLink(config) })
  return true
}

export const startConversation: Handler<typeof api.startConversation> = async ({ body }, context) => {
  const { caller, db } = context
  const { about, of, text } = body
  if (levelOf(caller.rights, areaOf(about)) < 2) throw new Refused('forbidden')
  const memberId = await findOwnerOf(db, about, of)
  if (memberId === undefined) throw new Refused('not_found')
  if (memberId === caller.memberId) throw new Refused('forbidden')
  await requireRoom(context)
  const subject = { about, of: about === 'account' ? null : of, memberId }
  const id = await postMessage(context, {
    call: 'startConversation',
    target: { about, of },
    author: 'staff',
    given: { text },
    post: async (db) => {
      if (await findConversationAbout(db, subject)) throw new Refused('conflict')
      const row = await lockOrInsertConversation(db, subject)
      // Someone else started it in the meantime.
      if (row.updated_at > row.created_at) throw new Refused('conflict')
      await recordAnswer(db, context, row, text)
      await record(db, context, row.id, { action: 'conversation-started' })
      return row.id
    },
  })
  return present(context, id)
}

export const answerConversation: Handler<typeof api.answerConversation> = async (
  { params: { id }, body },
  context,
) => {
  const { text, attachments = [], updatedAt } = body
  await requireRoom(context)
  await postMessage(context, {
    call: 'answerConversation',
    target: { id, updatedAt },
    author: 'staff',
    given: body,
    post: async (db) => {
      const row = await lockAsRead(db, context, id, updatedAt)
      // The answer is sent by email, because a visitor has no place to read it.
      if (row.member_id === null && attachments.length > 0)
        throw refusedField('attachments', 'too_many', { max: 0 })
      await recordAnswer(db, context, row, text)
      await record(db, context, id, { action: 'conversation-answered' })
      return id
    },
  })
  return present(context, id)
}

const change = async (
  context: MemberContext,
  id: string,
  work: (db: Tx) => Promise<unknown>,
): Promise<ConsoleConversationDetail> => {
  await transaction(context.db, work)
  return present(context, id)
}

export const assignConversation: Handler<typeof api.assignConversation> = (
  { params: { id }, body: { to, updatedAt } },
  context,
) =>
  change(context, id, async (db) => {
    const row = await lockAsRead(db, context, id, updatedAt)
    const colleagues = await listAnswerers(db, context.config, { id, level: areaOf(row.about) })
    if (to !== null && !colleagues.some((each) => each.id === to)) throw refusedField('to', 'one_of')
    if (to === row.assignee_id) return
    await changeConversation(db, id, { assignee_id: to })
    await record(db, context, id, { action: 'conversation-assigned', detail: { to: to ?? 'nobody' } })
  })

export const closeConversation: Handler<typeof api.closeConversation> = ({ params: { id }, body }, context) =>
  change(context, id, async (db) => {
    const { status } = await lockAsRead(db, context, id, body.updatedAt)
    if (status === 'closed') throw new Refused('conflict')
    await changeConversation(db, id, { status: 'closed' })
    await record(db, context, id, { action: 'conversation-closed' })
  })

export const revokeAnswerLinks: Handler<typeof api.revokeAnswerLinks> = ({ params: { id }, body }, context) =>
  change(context, id, async (db) => {
    await lockAsRead(db, context, id, body.updatedAt)
    await deleteAnswerLinks(db, id)
    await changeConversation(db, id, {})
    await record(db, context, id, { action: 'conversation-links-revoked' })
  })

export const addConversationNote: Handler<typeof api.addConversationNote> = (
  { params: { id }, body: { text } },
  context,
) =>
  change(context, id, async (db) => {
    await lockAnswerable(db, context, id)
    const { memberId } = context.caller
    await insertMessage(db, { conversation_id: id, author: 'note', author_id: memberId, text })
    await record(db, context, id, { action: 'conversation-note-added' })
  })

export const removeConversationNote: Handler<typeof api.removeConversationNote> = (
  { params: { id, noteId } },
  context,
) =>
  change(context, id, async (db) => {
    await lockAnswerable(db, context, id)
    const { memberId, rights } = context.caller
    const authorId = rights.isWriteAccessAdmin ? null : memberId
    if (!(await deleteNote(db, { id: noteId, conversationId: id, authorId }))) throw new Refused('not_found')
    await record(db, context, id, { action: 'conversation-note-removed' })
  })
