import { sql, type RawBuilder } from 'kysely'

/** How staff see one another: by display name, or else by e-mail address. `member` is the table's alias. */
export const staffName = (member: string): RawBuilder<string | null> =>
  sql<
    string | null
  >`coalesce(nullif(${sql.ref(`${member}.display_name`)}, ''), ${sql.ref(`${member}.email`)})`

/** The same with the address in any case, for mails and files: a display name is anybody's choice, and may be a colleague's. Never for members. */
export const staffNameWithAddress = ({
  display_name,
  email,
}: {
  display_name: string
  email: string
}): string => (display_name === '' ? email : `${display_name} (${email})`)
