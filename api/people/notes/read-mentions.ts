import type { api } from '#contract/api.ts'
import { mentions, notedKinds, type Mention } from '#contract/people/mentions.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { serveResource } from '../../platform/resource/serve-resource.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import { readerOf } from '../members/reader.ts'
import { listMentionRows, markSeen, type MentionRow } from './mention.queries.ts'
import { notedColumns } from './note.queries.ts'

function presentRow(row: MentionRow): Mention {
  const about = notedKinds.find((kind) => row[notedColumns[kind]] !== null)!
  return {
    id: row.id,
    about,
    of: row[notedColumns[about]]!,
    name: row.reference === null ? (row.person ?? '') : shownReference(row.reference),
    text: row.text,
    at: row.at.toISOString(),
    by: row.by,
    seenAt: row.seen_at?.toISOString() ?? null,
  }
}

export const { list: listMentions } = serveResource(mentions, {
  read: ({ db, caller }, filters, page) => listMentionRows(db, readerOf(caller), filters, page),
  present: (_, rows) => rows.map(presentRow),
})

export const markMentionSeen: Handler<typeof api.markMentionSeen> = async ({ params }, { db, caller }) => {
  if (!(await markSeen(db, caller.memberId, params.id))) throw new Refused('not_found')
  return { seen: true }
}
