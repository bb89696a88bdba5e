import * as z from 'zod/mini'
import { anyone, endpoint, member } from '../platform/endpoint.ts'
import {
  done,
  email,
  id,
  line,
  mailedCode,
  MIB,
  noBody,
  page,
  requiredText,
  time,
} from '../platform/fields.ts'
import { photoBytesMax } from './kyc.ts'

/** What a conversation can be about. Each order, identity case, and account has at most one conversation. */
export const memberSubjects = ['order', 'identity', 'account'] as const
export type MemberSubject = (typeof memberSubjects)[number]

/** `open`: staff must answer. `waiting`: the member or visitor must. */
export const conversationStatuses = ['open', 'waiting', 'closed'] as const
export type ConversationStatus = (typeof conversationStatuses)[number]

/** Who wrote a message. A `note` is by staff, and only staff see it. */
export const messageAuthors = ['member', 'staff', 'note'] as const
export type MessageAuthor = (typeof messageAuthors)[number]

const messageLengthMax = 4000
export const attachmentsMax = 3
export const attachmentBytesMax = photoBytesMax
const dataUrlMax = Math.ceil((attachmentBytesMax * 4) / 3) + 100

/** How long the link in the email to a visitor is valid, in days. */
export const contactDays = 7

/** How long the link in an answer to a visitor is valid, in days. */
export const answerLinkDays = 30

export const messageText = requiredText(messageLengthMax)
/** A base64 data URL. Its bytes decide whether it is a picture or a PDF; the declared type is ignored. */
const attached = z
  .string()
  .check(z.regex(/^data:[^,"]*;base64,/i, 'attachment'), z.maxLength(dataUrlMax, 'too_long'))

/** The content of a new message, and how its endpoint accepts files. */
export const newMessage = {
  text: messageText,
  attachments: z.optional(z.array(attached).check(z.maxLength(attachmentsMax, 'too_many'))),
}
export const takesAttachments = {
  bodyBytesMax: (14 * attachmentsMax + 1) * MIB,
  acceptsFiles: { countMax: attachmentsMax, bytesMax: attachmentBytesMax },
  acceptsIdempotencyKey: true,
} as const

export const attachment = z.object({
  id,
  kind: z.enum(['picture', 'pdf']),
  bytes: z.number(),
  /** Its retention period has ended. */
  isDeleted: z.boolean(),
})
export type Attachment = z.infer<typeof attachment>

export const message = z.object({
  id,
  isFromStaff: z.boolean(),
  at: time,
  text: z.string(),
  attachments: z.array(attachment),
})
export type Message = z.infer<typeof message>

export const listedConversation = z.object({
  id,
  about: z.enum(memberSubjects),
  /** ID of the order or identity application; null if it is about the account. */
  of: z.nullable(id),
  /** Reference of the order. */
  reference: z.nullable(z.string()),
  status: z.enum(conversationStatuses),
  messageAt: time,
  hasUnread: z.boolean(),
})
export type ListedConversation = z.infer<typeof listedConversation>

export const ownConversation = z.extend(listedConversation, {
  /** The newest messages, oldest first. */
  messages: z.array(message),
  /** Changes with each message and each change of status. */
  updatedAt: time,
})
export type OwnConversation = z.infer<typeof ownConversation>

const subject = { about: z.enum(memberSubjects, 'one_of'), of: z.optional(id) }

export const listConversations = endpoint('GET', 'conversations', {
  about: 'List the caller’s conversations with staff, by their latest message, newest first.',
  access: member,
  query: page,
  output: z.array(listedConversation),
})

export const findConversation = endpoint('GET', 'conversations/find', {
  about:
    'Get the caller’s conversation about an order, an identity application, or the account. `of` is the ID of the order or application. `conversation` is null if there is no message yet.',
  access: member,
  query: z.strictObject(subject),
  output: z.object({ conversation: z.nullable(ownConversation) }),
  errors: ['not_found'],
})

/** For pages that look for changes while they are open. */
export const conversationVersion = z.object({ updatedAt: z.nullable(time) })

export const checkConversation = endpoint('GET', 'conversations/version', {
  about:
    'Get when the caller’s conversation about an order, an identity application, or the account last changed: null if there is no message yet.',
  access: member,
  query: z.strictObject(subject),
  output: conversationVersion,
  errors: ['not_found'],
})

export const sendMessage = endpoint('POST', 'conversations/send', {
  about:
    'Write to staff about one of the caller’s orders, identity applications, or the account. Attachments are pictures or PDFs. A message reopens a closed conversation. With the header `Idempotency-Key`, a repeated request sends the message once.',
  access: member,
  status: 201,
  ...takesAttachments,
  body: z.strictObject({ ...subject, ...newMessage }),
  output: ownConversation,
  errors: ['not_found', 'idempotency_conflict'],
})

export const markConversationRead = endpoint('POST', 'conversations/:id/read', {
  about: 'Mark the messages of one of the caller’s conversations as read.',
  access: member,
  params: z.strictObject({ id }),
  body: noBody,
  output: done('read'),
  errors: ['not_found'],
})

export const getAttachment = endpoint('GET', 'conversation-attachments/:id', {
  about: 'Get an attachment of one of the caller’s conversations.',
  access: member,
  params: z.strictObject({ id }),
  output: z.unknown(),
  returnsBytes: true,
  errors: ['not_found'],
})

export const contactStaff = endpoint('POST', 'contact', {
  about:
    'Write to staff without an account. Staff see the message once the sender has confirmed the address with the link in an email. The answer is sent to that address.',
  access: anyone,
  proofOfWorkAfter: 10,
  status: 202,
  body: z.strictObject({ email, name: z.optional(line(100)), text: messageText }),
  output: done('sent'),
})

export const confirmContact = endpoint('POST', 'contact/confirm', {
  about: 'Confirm the address of a message with the code from the email. Staff then see the message.',
  access: anyone,
  body: z.strictObject({ code: mailedCode }),
  output: done('confirmed'),
  errors: ['code_invalid'],
})

export const continueContact = endpoint('POST', 'contact/answer', {
  about:
    'Continue a conversation without an account, with the code from the link in an emailed answer. The message reopens a closed conversation. A repeated request sends the message once.',
  access: anyone,
  proofOfWorkAfter: 10,
  body: z.strictObject({ code: mailedCode, text: messageText }),
  output: done('sent'),
  errors: ['answer_link_invalid'],
})

/** The result of a contact form that was sent without JavaScript. `linkCode` is the code of a link in an answer. */
export type PostedContact =
  | { done: 'sent' | 'confirmed' | 'answered' }
  | {
      problems: Readonly<Record<string, string>>
      given: Readonly<Record<string, string>>
      linkCode?: string
    }
