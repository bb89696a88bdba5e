import type { Tx } from '../../platform/db/database.ts'
import { transaction } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { idempotent } from '../../platform/idempotency/idempotent.ts'
import { discardFiles } from '../../platform/pending-files/pending-file.queries.ts'
import { insertAttachments, storeAttachments, type StoredAttachment } from './attachments.ts'
import { insertMessage } from './conversation.queries.ts'

type Given = { text: string; attachments?: string[] | undefined }
type Posted = {
  call: string
  /** Everything else that identifies the request. */
  target: Readonly<Record<string, unknown>>
  author: 'member' | 'staff'
  given: Given
  /** Locks the conversation and updates it. Returns its ID. */
  post: (db: Tx) => Promise<string>
}

/** Adds a message of the caller to a conversation, once per idempotency key. Returns the ID of the conversation. */
export async function postMessage(
  context: MemberContext,
  { call, target, author, given: { text, attachments = [] }, post }: Posted,
): Promise<string> {
  const { db, keys, files, uploads, caller, request } = context
  const { memberId } = caller
  const stored: StoredAttachment[] = []
  try {
    await storeAttachments(attachments, { db, keys, files, uploads, memberId }, stored)
    const body = { ...target, text, attachments: stored.map(({ contentHash }) => contentHash) }
    const { id } = await transaction(db, (db) =>
      idempotent(db, { memberId, key: request.idempotencyKey, call, body }, async () => {
        const id = await post(db)
        const messageId = await insertMessage(db, {
          conversation_id: id,
          author,
          author_id: memberId,
          text,
        })
        await insertAttachments(db, messageId, stored)
        return { id }
      }),
    )
    return id
  } finally {
    // After a failure or for a repeated request, nothing refers to the files.
    await discardFiles(
      db,
      files,
      stored.map(({ fileKey }) => fileKey),
    )
  }
}
