import { api } from '#contract/api.ts'
import { serveAssignment } from '../../../people/members/serve-assignment.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { sharesWithOrderOf } from '../order-history.queries.ts'
import { assignOrderRow, isOrderOf } from '../order.queries.ts'
import { lockOtherMembersOrder } from '../require-other-members-order.ts'

export const { assign: assignOrder, colleagues: listOrderColleagues } = serveAssignment('order', {
  level: 'finance',
  lock: (db, { caller }, id) => lockOtherMembersOrder(db, id, caller, {}),
  isBarred: async (db, colleagueId, id) =>
    (await isOrderOf(db, colleagueId, id)) || (await sharesWithOrderOf(db, colleagueId, id, '')),
  save: assignOrderRow,
})

export const assignOrders = serveBulk(api.assignOrders, api.assignOrder, {
  handle: assignOrder,
  input: ({ id, version }, { to }) => ({ params: { id }, body: { to, from: version || null } }),
})
