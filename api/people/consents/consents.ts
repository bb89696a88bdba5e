import { retention } from '../members/retention.ts'
import { collectHandlers, type Module, type Source } from '../../platform/module.ts'
import { deleteConsentsOfErased, deleteConsentsOfMember, listConsentsOfMember } from './consent.queries.ts'
import * as acceptConsents from './record-consents.ts'

/** Which versions of the legal documents a member accepted. */
export const consents = {
  calls: collectHandlers(acceptConsents),
  personal: {
    columns: {
      consent: { member_id: 'retained', version: 'retained', place: 'retained', client: 'retained' },
    },
    parts: { consents: { isList: true, read: readConsents } },
    // Orders were placed under the accepted terms, so consents are retained with them.
    retains: {
      consents: async (db, { id }, retained) =>
        retained.has('orders') && (await listConsentsOfMember(db, id)).length > 0,
    },
    erases: {
      consents: async (db, { id }, retained) =>
        !retained.has('consents') && (await listConsentsOfMember(db, id)).length > 0,
    },
    erase: async (db, { id }, retained) => {
      if (!retained.has('consents')) await deleteConsentsOfMember(db, id)
    },
  },
  cleanUp: { consentsOfErased: ({ db }) => deleteConsentsOfErased(db, retention) },
} satisfies Module

async function* readConsents({ db, member }: Source) {
  for (const { document, version, at, place, client } of await listConsentsOfMember(db, member.id))
    yield { document, version, at: at.toISOString(), place, client }
}
