import { presentNotes } from '../../notes/present-notes.ts'
import { serveNotes } from '../../notes/serve-notes.ts'
import { Refused } from '../../../platform/refused.ts'
import { sharesWithOwnRejection } from '../fingerprint.queries.ts'
import { lockCase } from '../kyc.queries.ts'
import { requireOthersCase } from './require-own-case.ts'

/** Reviewers also write notes about a case that is assigned to someone else. */
export const {
  add: addKycCaseNote,
  remove: removeKycCaseNote,
  readers: listKycCaseReaders,
} = serveNotes('kyc', {
  require: async (db, { caller }, id) => {
    const row = await lockCase(db, id)
    if (!row) throw new Refused('not_found')
    requireOthersCase(row, caller.memberId)
    if (await sharesWithOwnRejection(db, caller.memberId, id)) throw new Refused('forbidden')
  },
  present: async ({ db, caller }, id) => ({ notes: await presentNotes(db, caller, { kind: 'kyc', id }) }),
})
