import type { Database } from '../../../platform/db/database.ts'
import { countryCodeOf } from '../../country-code.ts'
import { keyCountry, listUnkeyedCountries } from './application.queries.ts'

/** Same limit as in the column and the filter. */
const lengthMax = 100

/** Returns the key that groups applications from one country, however it was written. */
export function countryKeyOf(typed: string): string {
  // Some letters become two in lower case.
  const key = typed
    .trim()
    .toLowerCase()
    .slice(0, lengthMax)
    .replace(/[\uD800-\uDBFF]$/, '')
  return countryCodeOf(key) ?? key
}

/** Adds country keys to applications from older releases, so that they can be found too. */
export async function keyCountries(db: Database): Promise<void> {
  for (;;) {
    const rows = await listUnkeyedCountries(db)
    if (rows.length === 0) return
    for (const { id, country } of rows) await keyCountry(db, id, countryKeyOf(country))
  }
}
