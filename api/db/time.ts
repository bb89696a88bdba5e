import { sql, type RawBuilder } from 'kysely'
import { SECOND } from '#contract/durations.ts'

/** Times by the clock of the database, which all instances share. Durations are milliseconds. */
export const fromNow = (ms: number): RawBuilder<Date> => sql`now() + ${ms / SECOND} * interval '1 second'`

export const ago = (ms: number): RawBuilder<Date> => sql`now() - ${ms / SECOND} * interval '1 second'`
