import { randomUUID } from 'node:crypto'
import { api } from '#contract/api.ts'
import type { ConversationSubject } from '#contract/people/console-conversations.ts'
import type { MemberSubject } from '#contract/people/conversations.ts'
import {
  changeConversation,
  findConversationAbout,
  insertContact,
  insertMessage,
  lockAnyConversation,
  lockOrInsertConversation,
  proveContact,
} from '#api/people/conversations/conversation.queries.ts'
import { DAY } from '#contract/platform/durations.ts'
import { transaction } from '#api/platform/db/database.ts'
import { anApplication, anEmail, anOrder } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'
import type { StoredMember } from './stored-members.ts'

type Writer = Pick<StoredMember, 'id' | 'token'> & Parameters<typeof anApplication>[1]

/** Something of the member that a conversation can be about. */
export async function aSubject(started: TestApi, about: MemberSubject, member: Writer) {
  if (about === 'order') return { about, of: (await anOrder(started, member.id)).id }
  if (about === 'identity') return { about, of: (await anApplication(started, member))._id }
  return { about }
}

/** A conversation with one message, which is unanswered. */
export async function aConversation(started: TestApi, member: Writer, about: MemberSubject = 'account') {
  const { db } = started.services
  const { of = null } = (await aSubject(started, about, member)) as { of?: string }
  const subject = { about, of, memberId: member.id }
  const id = await transaction(db, async (db) => {
    const { id } = await lockOrInsertConversation(db, subject)
    await insertMessage(db, {
      conversation_id: id,
      author: 'member',
      author_id: member.id,
      text: 'When will I receive my tokens?',
    })
    await changeConversation(db, id, { status: 'open', hasMessage: true, isRead: true })
    return id
  })
  const { updated_at } = (await findConversationAbout(db, subject))!
  return { ...subject, id, updatedAt: updated_at.toISOString() }
}

/** A message of a visitor. */
export async function aContact(started: TestApi, { email = anEmail(), isProved = true } = {}) {
  const { db } = started.services
  const code = randomUUID()
  const id = await insertContact(db, { email, name: 'Sample Visitor', language: 'en', code_hash: code })
  await insertMessage(db, { conversation_id: id, author: 'member', author_id: null, text: 'Is this real?' })
  if (!isProved) return { id, email, code, updatedAt: '' }
  await proveContact(db, code, DAY)
  const { updated_at } = (await transaction(db, (db) => lockAnyConversation(db, id)))!
  return { id, email, code, updatedAt: updated_at.toISOString() }
}

/** The API as a staff member uses it. */
export const deskOf = ({ call }: TestApi, { token }: { token: string }) => ({
  list: (query: { about?: ConversationSubject; status?: 'open'; of?: string; q?: string } = {}) =>
    call(api.listConsoleConversations, { query }, { token }),
  get: (id: string) => call(api.getConsoleConversation, { params: { id } }, { token }),
  answer: (id: string, updatedAt: string, text = 'In two days.', idempotencyKey?: string) =>
    call(
      api.answerConversation,
      { params: { id }, body: { text, updatedAt } },
      { token, ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }) },
    ),
})
