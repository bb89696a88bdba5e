import { sql, type Insertable, type SqlBool } from 'kysely'
import type { MemberSubject, MessageAuthor } from '#contract/people/conversations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import { readPage, type Page } from '../../platform/db/read-page.ts'
import type { Conversation, ConversationAttachment } from '../../platform/db/rows.ts'
import { abandonFiles } from '../../platform/pending-files/pending-file.queries.ts'
import type { DataSubject } from '../../platform/module.ts'

/** What a conversation is about, and the member it belongs to. */
export type Subject = { about: MemberSubject; of: string | null; memberId: string }

/** Later than any previous change, so that two changes are never mistaken for one. */
const nextChange = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()),
  conversation.updated_at + interval '1 millisecond')`

/** Whether the newest message that the member can see is from staff, and later than their last visit. */
const hasUnread = sql<boolean>`exists (select from conversation_message m
  where m.conversation_id = conversation.id and m.author = 'staff'
    and m.at > coalesce(conversation.read_at, '-infinity'))`

const selected = (db: Tx) =>
  db
    .selectFrom('conversation')
    .leftJoin('token_order', 'token_order.id', 'conversation.order_id')
    .selectAll('conversation')
    .select(['token_order.reference', hasUnread.as('has_unread')])

export type ConversationRow = Awaited<ReturnType<typeof listConversationsOf>>['rows'][number]

export const listConversationsOf = (db: Tx, memberId: string, page: Page) =>
  readPage(selected(db).where('conversation.member_id', '=', memberId), page, {
    at: 'conversation.message_at',
    id: 'conversation.id',
  })

/** Counts the messages from staff that the member hasn’t read. */
export async function countUnreadMessages(db: Tx, memberId: string): Promise<number> {
  const { unread } = await db
    .selectFrom('conversation')
    .innerJoin('conversation_message as m', 'm.conversation_id', 'conversation.id')
    .select(({ fn }) => fn.countAll<string>().as('unread'))
    .where('conversation.member_id', '=', memberId)
    .where('m.author', '=', 'staff')
    .where(sql<SqlBool>`m.at > coalesce(conversation.read_at, '-infinity')`)
    .executeTakeFirstOrThrow()
  return Number(unread)
}

const isAbout = ({ about, of, memberId }: Subject) => {
  if (about === 'order') return sql<SqlBool>`conversation.order_id = ${of}`
  if (about === 'identity') return sql<SqlBool>`conversation.application_id = ${of}`
  return sql<SqlBool>`conversation.member_id = ${memberId} and conversation.about = 'account'`
}

export const findConversationAbout = (db: Tx, subject: Subject) =>
  selected(db).where(isAbout(subject)).executeTakeFirst()

/** The member that an order, identity application, or account belongs to. */
export async function findOwnerOf(
  db: Tx,
  about: MemberSubject,
  of: string | undefined,
): Promise<string | undefined> {
  const table = { order: 'token_order', identity: 'kyc_application', account: 'member' }[about]
  const column = about === 'account' ? 'id' : 'member_id'
  const { rows } = await sql<{ owner: string }>`
    select ${sql.ref(column)} as owner from ${sql.ref(table)} where id = ${of ?? ''}
    ${about === 'account' ? sql`and erased_at is null` : sql``}`.execute(db)
  return rows[0]?.owner
}

/** Locks the conversation, which is created if it doesn't exist. Concurrent first messages share one conversation. */
export async function lockOrInsertConversation(db: Tx, { about, of, memberId }: Subject) {
  await db
    .insertInto('conversation')
    .values({
      about,
      member_id: memberId,
      order_id: about === 'order' ? of : null,
      application_id: about === 'identity' ? of : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db
    .selectFrom('conversation')
    .selectAll()
    .where(isAbout({ about, of, memberId }))
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Locks any conversation that staff can see. */
export const lockAnyConversation = (db: Tx, id: string) =>
  db.selectFrom('conversation').selectAll().where('id', '=', id).where(isShown).forUpdate().executeTakeFirst()

/** Staff see a visitor's message once the address is verified. */
export const isShown = sql<SqlBool>`(conversation.member_id is not null or conversation.proved_at is not null)`

export type LockedConversation = NonNullable<Awaited<ReturnType<typeof lockAnyConversation>>>

export const changeConversation = (
  db: Tx,
  id: string,
  change: Partial<Pick<Insertable<Conversation>, 'assignee_id'>> & {
    status?: LockedConversation['status']
    hasMessage?: true
    isRead?: true
    isMailed?: true
  },
) => {
  const { hasMessage, isRead, isMailed, ...columns } = change
  return db
    .updateTable('conversation')
    .set({
      ...columns,
      // The time since when a conversation has been unanswered stays when the member writes again.
      ...(columns.status && {
        status_at: sql<Date>`case when status = ${columns.status} then status_at else clock_timestamp() end`,
      }),
      ...(hasMessage && { message_at: sql<Date>`clock_timestamp()` }),
      ...(isRead && { read_at: sql<Date>`clock_timestamp()` }),
      ...(isMailed && { mailed_at: sql<Date>`clock_timestamp()` }),
      updated_at: nextChange,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Marks a conversation as read, and returns it if it is the member's. Staff who read it meanwhile still see its current
 * state, so `updated_at` stays.
 */
export const markRead = (db: Tx, memberId: string, id: string) =>
  db
    .updateTable('conversation')
    .set({ read_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .returning(['about', 'order_id', 'application_id'])
    .executeTakeFirst()

type NewMessage = {
  conversation_id: string
  author: MessageAuthor
  author_id: string | null
  text: string
}

export async function insertMessage(db: Tx, message: NewMessage): Promise<string> {
  const { id } = await db
    .insertInto('conversation_message')
    .values(message)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const insertAttachment = (db: Tx, attachment: Insertable<ConversationAttachment>) =>
  db.insertInto('conversation_attachment').values(attachment).execute()

/** Returns the newest messages, oldest first, without the notes of staff. */
export async function listMessages(db: Tx, conversationId: string, limit: number) {
  const rows = await db
    .selectFrom('conversation_message')
    .select(['id', 'author', 'author_id', 'text', 'at'])
    .where('conversation_id', '=', conversationId)
    .where('author', '<>', 'note')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed()
}

export const listAttachmentsOf = (db: Tx, messageIds: readonly string[]) =>
  db
    .selectFrom('conversation_attachment')
    .selectAll()
    .where('message_id', 'in', messageIds)
    .orderBy('message_id')
    .orderBy('n')
    .execute()
export type AttachmentRow = Awaited<ReturnType<typeof listAttachmentsOf>>[number]

/** Finds an attachment of a conversation; `of` is the member or the conversation that it must belong to. */
export const findAttachment = (db: Tx, id: string, of: { memberId: string } | { conversationId: string }) =>
  db
    .selectFrom('conversation_attachment')
    .innerJoin('conversation_message', 'conversation_message.id', 'conversation_attachment.message_id')
    .innerJoin('conversation', 'conversation.id', 'conversation_message.conversation_id')
    .selectAll('conversation_attachment')
    .where('conversation_attachment.id', '=', id)
    .where(
      'memberId' in of ? 'conversation.member_id' : 'conversation.id',
      '=',
      'memberId' in of ? of.memberId : of.conversationId,
    )
    .executeTakeFirst()

export const deleteNote = async (
  db: Tx,
  { id, conversationId, authorId }: { id: string; conversationId: string; authorId: string | null },
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('conversation_message')
    .where('id', '=', id)
    .where('conversation_id', '=', conversationId)
    .where('author', '=', 'note')
    .$if(authorId !== null, (query) => query.where('author_id', '=', authorId))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function insertContact(
  db: Tx,
  contact: Pick<Insertable<Conversation>, 'email' | 'name' | 'language' | 'code_hash'>,
): Promise<string> {
  const { id } = await db
    .insertInto('conversation')
    .values({ about: 'visitor', ...contact })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Verifies the address of a visitor. The code stays valid, so that opening the link twice succeeds. */
export async function proveContact(db: Tx, codeHash: string, life: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('conversation')
    .set({ proved_at: sql<Date>`coalesce(proved_at, clock_timestamp())` })
    .where('code_hash', '=', codeHash)
    .where('created_at', '>', ago(life))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Also deletes the expired links of the conversation. */
export async function insertAnswerLink(
  db: Tx,
  link: { conversation_id: string; code_hash: string },
  life: number,
): Promise<void> {
  await db
    .deleteFrom('conversation_answer_link')
    .where('conversation_id', '=', link.conversation_id)
    .where('created_at', '<=', ago(life))
    .execute()
  await db.insertInto('conversation_answer_link').values(link).execute()
}

const validAnswerLinks = (db: Tx, life: number) =>
  db.selectFrom('conversation_answer_link').select('conversation_id').where('created_at', '>', ago(life))

/** Returns the ID of the conversation that a valid link continues. */
export async function findByAnswerLink(db: Tx, codeHash: string, life: number): Promise<string | undefined> {
  const row = await validAnswerLinks(db, life).where('code_hash', '=', codeHash).executeTakeFirst()
  return row?.conversation_id
}

export const hasAnswerLink = async (db: Tx, conversationId: string, life: number): Promise<boolean> =>
  (await validAnswerLinks(db, life).where('conversation_id', '=', conversationId).executeTakeFirst()) !==
  undefined

export const deleteAnswerLinks = (db: Tx, conversationId: string) =>
  db.deleteFrom('conversation_answer_link').where('conversation_id', '=', conversationId).execute()

export const deleteUnprovedContacts = (db: Tx, age: number) =>
  db
    .deleteFrom('conversation')
    .where('about', '=', 'visitor')
    .where('proved_at', 'is', null)
    .where('created_at', '<', ago(age))
    .execute()

/** Deletes conversations with visitors in which no message was written for `age` milliseconds. */
export const deleteOldContacts = (db: Tx, age: number) =>
  db.deleteFrom('conversation').where('about', '=', 'visitor').where('message_at', '<', ago(age)).execute()

/** Deletes the key of each attachment that is older than `age` milliseconds; the file is removed later. */
export async function deleteDueAttachments(db: Tx, age: number, limit: number): Promise<void> {
  const due = await db
    .selectFrom('conversation_attachment')
    .select(['id', 'file_key'])
    .where('file_key', 'is not', null)
    .where('created_at', '<', ago(age))
    .orderBy('created_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  if (due.length === 0) return
  await abandonFiles(
    db,
    due.map(({ file_key }) => file_key!),
  )
  await db
    .updateTable('conversation_attachment')
    .set({ file_key: null, sealed_data_key: null })
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .execute()
}

/** A visitor’s messages belong to the member with that address, if the member verified it. */
const isOf = ({ id, email, address_proved_at }: DataSubject) =>
  address_proved_at === null
    ? sql<SqlBool>`conversation.member_id = ${id}`
    : sql<SqlBool>`(conversation.member_id = ${id} or conversation.email = ${email})`

export const listAllConversationsOf = (db: Tx, member: DataSubject) =>
  selected(db).where(isOf(member)).orderBy('conversation.created_at').execute()

export const listAllMessages = (db: Tx, conversationId: string) =>
  db
    .selectFrom('conversation_message')
    .select(['id', 'author', 'text', 'at'])
    .where('conversation_id', '=', conversationId)
    .orderBy('at')
    .orderBy('id')
    .execute()

export async function deleteConversationsOf(db: Tx, member: DataSubject): Promise<void> {
  const files = await db
    .selectFrom('conversation_attachment')
    .innerJoin('conversation_message', 'conversation_message.id', 'conversation_attachment.message_id')
    .innerJoin('conversation', 'conversation.id', 'conversation_message.conversation_id')
    .select('file_key')
    .where(isOf(member))
    .where('file_key', 'is not', null)
    .execute()
  await abandonFiles(
    db,
    files.map(({ file_key }) => file_key!),
  )
  await db.deleteFrom('conversation').where(isOf(member)).execute()
}

export const unassignConversationsOf = (db: Tx, memberId: string) =>
  db.updateTable('conversation').set({ assignee_id: null }).where('assignee_id', '=', memberId).execute()
