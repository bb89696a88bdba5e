import { createHash } from 'node:crypto'
import type { Screening } from '#contract/kyc-screening.ts'
import type { Tx } from '../../db/database.ts'
import type { KycRow } from '../kyc.queries.ts'
import { screen, type Comparing } from './screen.ts'
import { keepScreening } from './screening.queries.ts'

/**
 * Compares an applicant with the lists as they are now. What is found is kept for the queue; where it is something else than an
 * officer read, it has to be read again.
 */
export async function screenCase(db: Tx, services: Comparing, row: KycRow): Promise<Screening> {
  const person = { name: `${row.full_name} ${row.last_name}`.trim(), born: row.date_of_birth }
  const { listHash, ...found } = await screen(services, person)
  const { state, matches, isPartial } = found
  const hash = createHash('sha256')
    .update(JSON.stringify([row.id, person, state, matches, isPartial]))
    .digest('hex')
  // While the list cannot be read, what it said before stands.
  if (state !== 'unreadable')
    await keepScreening(db, row, { listHash, hash, possibleMatches: matches.length || (isPartial ? 1 : 0) })
  return { ...found, hash }
}
