import { sql, type RawBuilder } from 'kysely'
import { SECOND } from '#contract/durations.ts'

/** Times by the database clock, which all instances share. Durations are in milliseconds. */
export const fromNow = (ms: number): RawBuilder<Date> => sql`now() + ${ms / SECOND} * interval '1 second'`

export const ago = (ms: number): RawBuilder<Date> => sql`now() - ${ms / SECOND} * interval '1 second'`
