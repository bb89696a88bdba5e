import type { api } from '#contract/api.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { findNewsroomRowWhole, listNewsroomRows } from './newsroom.queries.ts'
import { presentNewsroomPost } from './present-newsroom-post.ts'

export const listNewsroomPosts: Handler<typeof api.listNewsroomPosts> = async ({ query }, { db, answer }) => {
  const page = await listNewsroomRows(db, query)
  answer.setNext(page.next)
  return page.rows.map(presentNewsroomPost)
}

export const getNewsroomPost: Handler<typeof api.getNewsroomPost> = async ({ params }, { db }) => {
  const row = await findNewsroomRowWhole(db, params.id)
  if (!row) throw new Refused('not_found')
  return { ...presentNewsroomPost(row), content: row.content }
}
