import { sql, type RawBuilder } from 'kysely'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/languages.ts'
import { addNote } from '../text/describe-changes.ts'

/**
 * How staff see one another: the display name, or else the email address. A display name that looks like an address
 * doesn't count, because it may be a colleague's. `member` is the table's alias.
 */
export const staffName = (member: string): RawBuilder<string | null> =>
  sql<string | null>`case when ${sql.ref(`${member}.display_name`)} ~ '^$|[@﹫＠]'
    then ${sql.ref(`${member}.email`)} else ${sql.ref(`${member}.display_name`)} end`

/**
 * Does the same but always includes the address, because anyone can choose a colleague's display name. For decisions
 * that need two people and for histories. Never shown to members.
 */
export const selectStaffNameWithAddress = (member: string): RawBuilder<string | null> =>
  sql<
    string | null
  >`case when ${sql.ref(`${member}.display_name`)} ~ '^$|[@﹫＠]' then ${sql.ref(`${member}.email`)}
    else ${sql.ref(`${member}.display_name`)} || ' (' || ${sql.ref(`${member}.email`)} || ')' end`

/** The same for a row that was read, for emails and files, with the brackets of the reader's language. */
export const staffNameWithAddress = (
  { display_name, email }: { display_name: string; email: string },
  language: Language,
): string => (display_name === '' ? email : addNote(display_name, email, language))

/** Matches an Ethereum address in any spelling: its case is only a checksum, and 0x is often omitted. */
export function isSameEthAddress(given: string): RawBuilder<boolean> {
  const text = given.toLowerCase()
  const other = /^[0-9a-f]{40}$/.test(text) ? `0x${text}` : text.replace(/^0x(?=[0-9a-f]{40}$)/, '')
  return sql<boolean>`lower(eth_address) in (${text}, ${other})`
}

/** Escapes text in a `like` pattern, so that wildcards are literal. */
export const literalInLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** Times by the database clock, which all instances share. Durations are in milliseconds. */
export const fromNow = (ms: number): RawBuilder<Date> => sql`now() + ${ms / SECOND} * interval '1 second'`

export const ago = (ms: number): RawBuilder<Date> => sql`now() - ${ms / SECOND} * interval '1 second'`

/** The start of a day in UTC, such as `2036-05-01`. */
export const startOfUtcDay = (day: string): Date => new Date(`${day}T00:00:00Z`)

export const endOfUtcDay = (day: string): Date => new Date(startOfUtcDay(day).getTime() + DAY)
