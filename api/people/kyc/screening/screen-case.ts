import { createHash } from 'node:crypto'
import type { Screening } from '#contract/people/kyc-screening.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { KycRow } from '../kyc.queries.ts'
import { screen, type Comparing } from './screen.ts'
import { saveScreening } from './screening.queries.ts'

/**
 * Compares an applicant with the current lists. The result is stored for the queue; if it differs from what an officer
 * read, it must be read again.
 */
export async function screenCase(db: Tx, services: Comparing, row: KycRow): Promise<Screening> {
  const person = { name: `${row.full_name} ${row.last_name}`.trim(), born: row.date_of_birth }
  const { listHash, ...found } = await screen(services, person)
  const { state, matches, isPartial } = found
  const hash = createHash('sha256')
    .update(JSON.stringify([row.id, person, state, matches, isPartial]))
    .digest('hex')
  // While the list can't be read, the previous result remains.
  if (state !== 'unreadable')
    await saveScreening(db, row, { listHash, hash, possibleMatches: matches.length || (isPartial ? 1 : 0) })
  return { ...found, hash }
}
