import { sql, type RawBuilder } from 'kysely'

/** How staff are shown to one another: by the name they chose, else by their address. `member` is the table's alias. */
export const staffName = (member: string): RawBuilder<string | null> =>
  sql<
    string | null
  >`coalesce(nullif(${sql.ref(`${member}.display_name`)}, ''), ${sql.ref(`${member}.email`)})`
