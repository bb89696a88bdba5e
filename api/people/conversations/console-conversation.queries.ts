import { beginningOf } from '../../platform/text/order-reference.ts'
import { sql, type SqlBool } from 'kysely'
import { conversations, type ConversationFilters } from '#contract/people/console-conversations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { literalInLike, staffName } from '../../platform/db/expressions.ts'
import { readList } from '../../platform/db/read-list.ts'
import type { Page } from '../../platform/db/read-page.ts'
import {
  colleagues,
  colleaguesMax,
  type ColleagueRule,
  type RecordLevel,
} from '../members/colleague.queries.ts'
import type { Reader } from '../members/reader.ts'
import { isShown } from './conversation.queries.ts'

/** Whether the conversation is the reader’s own, under any spelling of their address. */
export const isOwnConversationOf = (readerId: string) =>
  sql<boolean>`(conversation.member_id is not distinct from ${readerId} or email_alias(conversation.email)
    is not distinct from (select email_alias(m.email) from member m where m.id = ${readerId}))`

const isAllowed = ({ finance, employee }: Reader, atLeast: 1 | 2) =>
  sql<SqlBool>`case when conversation.about in ('order', 'identity')
    then ${sql.lit(finance >= atLeast)} else ${sql.lit(employee >= atLeast)} end`

const selected = (db: Tx, reader: Reader) =>
  db
    .selectFrom('conversation')
    .leftJoin('member', 'member.id', 'conversation.member_id')
    .leftJoin('token_order', 'token_order.id', 'conversation.order_id')
    .leftJoin('member as assignee', 'assignee.id', 'conversation.assignee_id')
    .selectAll('conversation')
    .select([
      'token_order.reference',
      'member.email as member_email',
      'member.display_name as member_name',
      'member.language as member_language',
      staffName('assignee').as('assignee_name'),
    ])
    .where(isShown)
    .where(isAllowed(reader, 1))
    .where(sql<SqlBool>`not ${isOwnConversationOf(reader.id)}`)

export type ShownConversation = Awaited<ReturnType<typeof listConsoleConversationRows>>['rows'][number]

export const findConsoleConversation = (db: Tx, reader: Reader, id: string) =>
  selected(db, reader).where('conversation.id', '=', id).executeTakeFirst()

/** Conversations that the reader can answer and no one else is assigned to. */
const isAnswerableBy = (reader: Reader) =>
  sql<SqlBool>`(conversation.assignee_id is null or conversation.assignee_id = ${reader.id})
    and ${isAllowed(reader, 2)}`

/** Lists conversations of any member or visitor, for staff. */
export const listConsoleConversationRows = (
  db: Tx,
  reader: Reader,
  filters: ConversationFilters,
  page: Page,
) =>
  readList(
    conversations,
    {
      rows: selected(db, reader),
      where: {
        q: (rows, q) => rows.where(isFoundBy(q)),
        about: (rows, about) => rows.where('conversation.about', '=', about),
        status: (rows, status) => rows.where('conversation.status', '=', status),
        assignee: (rows, assignee) => {
          if (assignee === 'me') return rows.where('conversation.assignee_id', '=', reader.id)
          if (assignee === 'nobody') return rows.where('conversation.assignee_id', 'is', null)
          return rows.where(isAnswerableBy(reader))
        },
        of: (rows, of) =>
          rows.where(
            sql<SqlBool>`${of} in (conversation.order_id, conversation.application_id, conversation.member_id)`,
          ),
      },
      sortBy: { message: 'conversation.message_at', status: 'conversation.status_at' },
      id: 'conversation.id',
    },
    filters,
    page,
  )

/** Finds conversations by ID, by the beginning of an email address, or by the beginning of an order’s reference. */
function isFoundBy(q: string) {
  const beginning = `${literalInLike(q.toLowerCase())}%`
  const digits = beginningOf(q)
  return sql<SqlBool>`(conversation.id = ${q} or conversation.email like ${beginning}
    or member.email like ${beginning} or token_order.reference like ${digits ? `${digits}%` : ''})`
}

/** The open conversations that await the reader, with the time since when each has been unanswered. */
export const openConversationsFor = (db: Tx, reader: Reader) =>
  db
    .selectFrom('conversation')
    .select('conversation.status_at as at')
    .where('conversation.status', '=', 'open')
    .where(isShown)
    .where(isAnswerableBy(reader))
    .where(sql<SqlBool>`not ${isOwnConversationOf(reader.id)}`)

export const listAuthors = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('member')
    .select(['id', staffName('member').as('name')])
    .where(sql<SqlBool>`id = any(${ids})`)
    .where('erased_at', 'is', null)
    .execute()

export const listNotes = (db: Tx, conversationId: string, limit: number) =>
  db
    .selectFrom('conversation_message')
    .leftJoin('member', (join) =>
      join.onRef('member.id', '=', 'conversation_message.author_id').on('member.erased_at', 'is', null),
    )
    .select(['conversation_message.id', 'text', 'at', 'author_id', staffName('member').as('by')])
    .where('conversation_id', '=', conversationId)
    .where('author', '=', 'note')
    .orderBy('at', 'desc')
    .orderBy('conversation_message.id', 'desc')
    .limit(limit)
    .execute()

/** Staff with an active right to answer, except those whose own conversation it is. */
export const listAnswerers = (
  db: Tx,
  rule: ColleagueRule,
  { id, level }: { id: string; level: RecordLevel },
) =>
  colleagues(db, rule, level)
    .where(
      sql<SqlBool>`not exists (select from conversation where conversation.id = ${id} and (conversation.member_id = member.id
        or email_alias(conversation.email) is not distinct from email_alias(member.email)))`,
    )
    .orderBy('name')
    .limit(colleaguesMax)
    .execute()
