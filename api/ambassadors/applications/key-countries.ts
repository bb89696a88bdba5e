import type { Database } from '../../db/database.ts'
import { keyCountry, listUnkeyedCountries } from './application.queries.ts'
import { countryKeyOf } from './country-key.ts'

/** Adds country keys to applications from older releases, so that they can be found too. */
export async function keyCountries(db: Database): Promise<void> {
  for (;;) {
    const rows = await listUnkeyedCountries(db)
    if (rows.length === 0) return
    for (const { id, country } of rows) await keyCountry(db, id, countryKeyOf(country))
  }
}
