import type { api } from '#contract/api.ts'
import type { Consent, ConsentState } from '#contract/people/consents.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { insertConsents, listConsentsOfMember, type ConsentPlace } from './consent.queries.ts'
import { dueConsents, isCurrent } from './consent.rules.ts'
import { lockMember } from '../members/member.queries.ts'
import type { SiteContent } from '../../platform/site-content/site-content.ts'

export const listConsents: Handler<typeof api.listConsents> = (_, { db, content, caller }) =>
  consentsOf(db, content, caller.memberId)

/** If two requests arrive at once, each version is stored once. */
export const acceptConsents: Handler<typeof api.acceptConsents> = (
  { body },
  { db, content, caller, request },
) =>
  transaction(db, async (db) => {
    if (!body.consents.every((each) => isCurrent(content, each))) throw new Refused('conflict')
    await lockMember(db, caller.memberId)
    const { due } = await consentsOf(db, content, caller.memberId)
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
    return consentsOf(db, content, caller.memberId)
  })

async function consentsOf(db: Tx, content: SiteContent, memberId: string): Promise<ConsentState> {
  const rows = await listConsentsOfMember(db, memberId)
  return {
    given: rows.map(({ document, version, at, place }) => ({
      document,
      version,
      at: at.toISOString(),
      place: place as ConsentPlace,
    })),
    due: dueConsents(content, rows),
  }
}
