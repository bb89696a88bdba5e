import { sql, type RawBuilder } from 'kysely'

/**
 * How staff see one another: the display name, or else the email address. A display name that looks like an address
 * doesn't count, because it may be a colleague's. `member` is the table's alias.
 */
export const staffName = (member: string): RawBuilder<string | null> =>
  sql<string | null>`case when ${sql.ref(`${member}.display_name`)} ~ '^$|[@﹫＠]'
    then ${sql.ref(`${member}.email`)} else ${sql.ref(`${member}.display_name`)} end`

/**
 * Does the same but always includes the address, for emails and files: anyone can choose a colleague's display name.
 * Never shown to members.
 */
export const staffNameWithAddress = ({
  display_name,
  email,
}: {
  display_name: string
  email: string
}): string => (display_name === '' ? email : `${display_name} (${email})`)
