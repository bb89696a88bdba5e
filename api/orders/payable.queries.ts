import { sql, type SqlBool } from 'kysely'

/** SQL counterpart of `isPayable`, written exactly as in the indexes. */
export const payable = sql<SqlBool>`not (receiving_address = '' or amount is null)`
