import type { api } from '#contract/api.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { findAnyKyc } from '../kyc.queries.ts'
import { isOpen } from '../kyc.rules.ts'
import { presentCaseNow } from '../review/present-case.ts'
import { requireOwnCase } from '../review/require-own-case.ts'
import { screenCase } from './screen-case.ts'
import { markScreeningRead } from './screening.queries.ts'

/**
 * Marks exactly what the officer was shown: if the lists or the applicant changed since, the new finding must be read.
 */
export const readKycScreening: Handler<typeof api.readKycScreening> = async ({ params, body }, context) => {
  const { db, caller } = context
  const known = await findAnyKyc(db, params.id)
  if (!known) throw new Refused('not_found')
  const screening = await screenCase(db, context, known)
  if (screening.state === 'unreadable') throw new Refused('unavailable')
  return transaction(db, async (db) => {
    const row = await requireOwnCase(db, params.id, caller.memberId)
    if (!isOpen(row.status) || row.screening_hash !== body.hash) throw new Refused('conflict')
    if (row.screening_read_at === null) {
      await markScreeningRead(db, row.id, caller.memberId)
      await recordAudit(db, {
        actorId: caller.memberId,
        action: 'kyc-screening-read',
        subjectKind: 'kyc',
        subjectId: row.id,
        detail: {
          state: screening.state,
          matches: screening.matches.length,
          lists: screening.lists.map(({ name, date }) => `${name} ${date}`),
        },
      })
    }
    return presentCaseNow(db, row.id)
  })
}
