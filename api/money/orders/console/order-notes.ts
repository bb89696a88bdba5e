import { presentNotes } from '../../../people/notes/present-notes.ts'
import { serveNotes } from '../../../people/notes/serve-notes.ts'
import { lockOtherMembersOrder } from '../require-other-members-order.ts'

export const {
  add: addOrderNote,
  remove: removeOrderNote,
  readers: listOrderReaders,
} = serveNotes('order', {
  require: (db, { caller }, id) => lockOtherMembersOrder(db, id, caller, {}),
  present: async ({ db, caller }, id) => ({ notes: await presentNotes(db, caller, { kind: 'order', id }) }),
})
