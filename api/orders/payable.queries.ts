import { sql, type SqlBool } from 'kysely'

/** As `isPayable`, and as the indexes say it. */
export const payable = sql<SqlBool>`not (receiving_address = '' or amount is null)`
