import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { done, id, language, line, requiredLine, time, timeInput } from '../platform/fields.ts'
import { resource, sortedBy, type FiltersOf } from '../platform/resource.ts'
import { colleague } from './assignment.ts'
import {
  conversationStatuses,
  conversationVersion,
  memberSubjects,
  message,
  messageText,
  newMessage,
  takesAttachments,
} from './conversations.ts'

export const conversationSubjects = [...memberSubjects, 'visitor'] as const
export type ConversationSubject = (typeof conversationSubjects)[number]

export const consoleConversation = z.object({
  id,
  about: z.enum(conversationSubjects),
  /** ID of the order or identity application. */
  of: z.nullable(id),
  /** Reference of the order. */
  reference: z.nullable(z.string()),
  /** The member, or null for a visitor. */
  memberId: z.nullable(id),
  email: z.string(),
  name: z.string(),
  status: z.enum(conversationStatuses),
  /** Since when it has had its status: for an open one, since when it has been unanswered. */
  statusAt: time,
  messageAt: time,
  /** Send it back with a change, so that an outdated page cannot overwrite or overlook what a colleague did. */
  updatedAt: time,
  assignee: z.nullable(colleague),
})
export type ConsoleConversation = z.infer<typeof consoleConversation>

export const consoleConversationDetail = z.extend(consoleConversation, {
  /** Language of the member or visitor. */
  language,
  /** The newest messages, oldest first. `by` is the staff member who wrote it. */
  messages: z.array(z.extend(message, { by: z.nullable(z.string()) })),
  notes: z.array(
    z.object({ id, text: z.string(), at: time, by: z.nullable(z.string()), isRemovable: z.boolean() }),
  ),
  /** Staff who can answer it. */
  colleagues: z.array(colleague),
  /** Whether the caller can answer it. */
  isAnswerable: z.boolean(),
  /** Whether a visitor has a valid link with which they can continue it. */
  hasAnswerLink: z.boolean(),
})
export type ConsoleConversationDetail = z.infer<typeof consoleConversationDetail>

/**
 * Conversations about orders and identity cases require the `finance` level, and those about accounts and from visitors
 * the `employee` level. Others are treated as if they did not exist.
 */
export const conversations = resource({
  path: 'admin/conversations',
  name: 'conversations',
  about:
    'List conversations with members and visitors that the caller’s levels allow: about orders and identity cases with a finance level, about accounts and from visitors with an employee level. The caller’s own are excluded.',
  access: staff('support', 1),
  auditsAccess: 'conversation',
  row: consoleConversation,
  filters: {
    q: z.optional(line(254)),
    about: z.optional(z.enum(conversationSubjects, 'one_of')),
    status: z.optional(z.enum(conversationStatuses, 'one_of')),
    /** `answerable`: unassigned or assigned to the caller, who can answer it. */
    assignee: z.optional(z.enum(['me', 'nobody', 'answerable'], 'one_of')),
    /** ID of the order, identity application, or member that it is about. */
    of: z.optional(id),
    sort: sortedBy('message', '-message', 'status', '-status'),
  },
  palette: 'q',
  detail: {
    about: 'Get one conversation with its messages, notes, and the colleagues it can be assigned to.',
    output: consoleConversationDetail,
  },
})
export const { list: listConsoleConversations, get: getConsoleConversation } = conversations
export type ConversationFilters = FiltersOf<typeof conversations>

export const checkConsoleConversation = endpoint('GET', 'admin/conversations/:id/version', {
  about: 'Get when a conversation last changed.',
  access: staff('support', 1),
  params: z.strictObject({ id }),
  output: conversationVersion,
  errors: ['not_found'],
})

/** A change of one conversation, which returns it as changed. Nobody can change their own. */
const change = {
  access: staff('support', 2),
  params: z.strictObject({ id }),
  output: consoleConversationDetail,
  errors: ['not_found', 'conflict'],
} as const
const updatedAt = timeInput

export const startConversation = endpoint('POST', 'admin/conversations/start', {
  about:
    'Write the first message about an order, an identity application, or an account. `of` is the ID of the order, application, or member. The member is notified by email. If there is a conversation already, the response is `conflict`.',
  access: staff('support', 2),
  status: 201,
  acceptsIdempotencyKey: true,
  body: z.strictObject({ about: z.enum(memberSubjects, 'one_of'), of: id, text: messageText }),
  output: consoleConversationDetail,
  errors: ['not_found', 'conflict', 'idempotency_conflict'],
})

export const answerConversation = endpoint('POST', 'admin/conversations/:id/answer', {
  about:
    'Answer a conversation. A member is notified by email, without the content; a visitor gets the answer by email. An unassigned conversation is assigned to the caller. If the conversation has changed since `updatedAt`, nothing is sent. With the header `Idempotency-Key`, a repeated request sends the answer once.',
  ...change,
  ...takesAttachments,
  body: z.strictObject({ ...newMessage, updatedAt }),
  errors: ['not_found', 'conflict', 'idempotency_conflict'],
})

export const assignConversation = endpoint('POST', 'admin/conversations/:id/assign', {
  about: 'Assign a conversation to a colleague who can answer it, or unassign it.',
  ...change,
  body: z.strictObject({ to: z.nullable(id), updatedAt }),
})

export const closeConversation = endpoint('POST', 'admin/conversations/:id/close', {
  about: 'Close a conversation. A new message of the member reopens it.',
  ...change,
  body: z.strictObject({ updatedAt }),
})

export const revokeAnswerLinks = endpoint('POST', 'admin/conversations/:id/revoke-links', {
  about:
    'Revoke the links in emailed answers, so that the visitor can’t continue the conversation with them. The next answer contains a new link.',
  ...change,
  body: z.strictObject({ updatedAt }),
})

export const addConversationNote = endpoint('POST', 'admin/conversations/:id/notes', {
  about:
    'Add a note for colleagues. The member’s data export includes it, unless the conversation is about an identity case.',
  ...change,
  body: z.strictObject({ text: messageText }),
  errors: ['not_found'],
})

export const removeConversationNote = endpoint('DELETE', 'admin/conversations/:id/notes/:noteId', {
  about: 'Delete a note. Staff can delete their own notes; administrators can delete any note.',
  ...change,
  params: z.strictObject({ id, noteId: id }),
  errors: ['not_found'],
})

export const getConversationAttachment = endpoint(
  'GET',
  'admin/conversations/:id/attachments/:attachmentId',
  {
    about:
      'Get an attachment of a conversation. Requires step-up authentication. Access is recorded in the audit log.',
    access: staff('support', 1),
    auditsItself: 'conversation',
    params: z.strictObject({ id, attachmentId: id }),
    output: z.unknown(),
    returnsBytes: true,
    errors: ['not_found', 'step_up_required'],
  },
)

export const savedReply = z.object({
  id,
  title: z.string(),
  en: z.string(),
  cn: z.string(),
  updatedAt: time,
  /** Who changed it last. */
  by: z.nullable(z.string()),
})
export type SavedReply = z.infer<typeof savedReply>

export const listSavedReplies = endpoint('GET', 'admin/saved-replies', {
  about: 'List saved replies, by title.',
  access: staff('support', 1),
  output: z.array(savedReply),
})

export const saveReply = endpoint('POST', 'admin/saved-replies', {
  about:
    'Add a saved reply, or change the one with the ID. If it was changed since `updatedAt`, the response is `conflict`.',
  access: staff('support', 2),
  body: z.strictObject({
    id: z.optional(id),
    title: requiredLine(100),
    en: messageText,
    cn: messageText,
    updatedAt: z.optional(timeInput),
  }),
  output: savedReply,
  errors: ['not_found', 'conflict'],
})

export const deleteReply = endpoint('DELETE', 'admin/saved-replies/:id', {
  about: 'Delete a saved reply.',
  access: staff('support', 2),
  params: z.strictObject({ id }),
  output: done('deleted'),
  errors: ['not_found'],
})
