import type { api } from '#contract/api.ts'
import type { Handler } from '../../http/handler.ts'
import { findRefusalOf } from './mailbox-refusal.queries.ts'
import { presentRefusal } from './present-refusal.ts'

export const readOwnMailbox: Handler<typeof api.readOwnMailbox> = async (_, { db, caller }) => {
  const row = await findRefusalOf(db, caller.memberId)
  return { refusal: row ? presentRefusal(row) : null }
}
