import { sql, type RawBuilder } from 'kysely'

/** How staff see one another: by display name, or else by e-mail address. `member` is the table's alias. */
export const staffName = (member: string): RawBuilder<string | null> =>
  sql<
    string | null
  >`coalesce(nullif(${sql.ref(`${member}.display_name`)}, ''), ${sql.ref(`${member}.email`)})`
