import type { api } from '#contract/api.ts'
import type { Consent, ConsentState } from '#contract/consents.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { insertConsents, listConsentsOfMember, type ConsentPlace } from './consent.queries.ts'
import { dueConsents, isCurrent } from './consent.rules.ts'
import { lockMember } from '../members/member.queries.ts'

export const listConsents: Handler<typeof api.listConsents> = (_, { db, caller }) =>
  consentsOf(db, caller.memberId)

/** If two requests arrive at once, each version is stored once. */
export const giveConsents: Handler<typeof api.giveConsents> = ({ body }, { db, caller, request }) =>
  transaction(db, async (db) => {
    if (!body.consents.every(isCurrent)) throw new Refused('conflict')
    await lockMember(db, caller.memberId)
    const { due } = await consentsOf(db, caller.memberId)
    const isAccepted = ({ document }: Consent) => body.consents.some((each) => each.document === document)
    const accepted = due.filter(isAccepted)
    await insertConsents(db, caller.memberId, accepted, { place: 'account', client: request.client })
    if (accepted.length > 0)
      await recordAudit(db, {
        actorId: caller.memberId,
        action: 'consent-given',
        subjectKind: 'member',
        subjectId: caller.memberId,
        detail: { documents: accepted.map(({ document }) => document) },
      })
    return consentsOf(db, caller.memberId)
  })

export async function consentsOf(db: Tx, memberId: string): Promise<ConsentState> {
  const rows = await listConsentsOfMember(db, memberId)
  return {
    given: rows.map(({ document, version, at, place }) => ({
      document,
      version,
      at: at.toISOString(),
      place: place as ConsentPlace,
    })),
    due: dueConsents(rows),
  }
}
