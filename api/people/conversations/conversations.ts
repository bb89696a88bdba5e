import { shownReference } from '../../platform/text/order-reference.ts'
import { transaction } from '../../platform/db/database.ts'
import { collectHandlers, type Attachment, type Module, type Source } from '../../platform/module.ts'
import * as answerConversations from './answer-conversations.ts'
import { contentTypeOf, openAttachment } from './attachments.ts'
import * as contact from './contact.ts'
import {
  deleteConversationsOf,
  deleteDueAttachments,
  deleteOldContacts,
  deleteUnprovedContacts,
  listAllConversationsOf,
  listAllMessages,
  listAttachmentsOf,
  unassignConversationsOf,
  type AttachmentRow,
  type ConversationRow,
} from './conversation.queries.ts'
import * as ownConversations from './own-conversations.ts'
import * as readConsoleConversations from './read-console-conversations.ts'
import * as savedReplies from './saved-replies.ts'

const attachmentsAtOnce = 500

/** What members and visitors write to staff, and the answers. */
export const conversations = {
  calls: collectHandlers(
    ownConversations,
    contact,
    readConsoleConversations,
    answerConversations,
    savedReplies,
  ),
  personal: {
    columns: {
      conversation: {
        member_id: 'erased',
        order_id: 'erased',
        application_id: 'erased',
        email: 'erased',
        name: 'erased',
        code_hash: 'erased',
        assignee_id: 'erased',
      },
      conversation_message: { text: 'erased', author_id: 'remains' },
      conversation_attachment: { file_key: 'erased', sealed_data_key: 'erased' },
      conversation_answer_link: { code_hash: 'erased' },
      saved_reply: { updated_by: 'remains', title: 'remains', text_en: 'remains', text_cn: 'remains' },
    },
    parts: { conversations: { isList: true, read: readConversations } },
    attachments: readAttachments,
    erases: {
      conversations: async (db, member) => (await listAllConversationsOf(db, member)).length > 0,
    },
    erase: async (db, member) => {
      await deleteConversationsOf(db, member)
      await unassignConversationsOf(db, member.id)
    },
  },
  cleanUp: {
    dueAttachments: ({ db, config }) =>
      transaction(db, (db) => deleteDueAttachments(db, config.messageAttachmentRetention, attachmentsAtOnce)),
    unconfirmedContacts: ({ db }) => deleteUnprovedContacts(db, contact.contactLife),
    oldContacts: ({ db, config }) => deleteOldContacts(db, config.contactRetention),
  },
} satisfies Module

type Exported = { row: ConversationRow; number: number }

async function* numbered({ db, member }: Source): AsyncIterable<Exported> {
  for (const [at, row] of (await listAllConversationsOf(db, member)).entries()) yield { row, number: at + 1 }
}

async function* readConversations(source: Source) {
  const { db } = source
  for await (const each of numbered(source)) {
    const { row } = each
    // Notes on identity verification are private.
    const messages = (await listAllMessages(db, row.id)).filter(
      ({ author }) => author !== 'note' || row.about !== 'identity',
    )
    const attachments = await attachmentsOf(source, each)
    const shown = []
    for (const { id, author, text, at } of messages) {
      const files = []
      for (const { row: file, attachment } of attachments)
        if (file.message_id === id) files.push(await source.show(attachment))
      shown.push({ by: author, at: at.toISOString(), text, files })
    }
    yield {
      about: row.about,
      order: row.reference === null ? null : shownReference(row.reference),
      email: row.email,
      name: row.name,
      status: row.status,
      createdAt: row.created_at.toISOString(),
      messages: shown,
    }
  }
}

async function* readAttachments(source: Source): AsyncIterable<Attachment> {
  for await (const each of numbered(source))
    for (const { attachment } of await attachmentsOf(source, each)) yield attachment
}

/** The attachments of a conversation that are still kept, in the order of their messages. */
async function attachmentsOf(
  { db, keys, files }: Source,
  { row, number }: Exported,
): Promise<{ row: AttachmentRow; attachment: Attachment }[]> {
  const messages = await listAllMessages(db, row.id)
  if (messages.length === 0) return []
  const order = messages.map(({ id }) => id)
  const rows = (await listAttachmentsOf(db, order)).filter(({ file_key }) => file_key !== null)
  const sorted = rows.toSorted(
    (a, b) => order.indexOf(a.message_id) - order.indexOf(b.message_id) || a.n - b.n,
  )
  return sorted.map((file, at) => ({
    row: file,
    attachment: {
      name: {
        conversation: number,
        file: at + 1,
        type: file.is_pdf ? 'pdf' : 'jpg',
      },
      contentType: contentTypeOf(file),
      read: () => openAttachment({ keys, files }, file),
    },
  }))
}
