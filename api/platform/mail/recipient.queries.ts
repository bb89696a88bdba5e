import { sql, type SqlBool } from 'kysely'
import type { OptionalEmailArea } from '#contract/platform/notifications.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'

type Recipient = {
  /** The anti-phishing phrase. None for an unconfirmed address, which belongs to no one yet. */
  phrase: string | undefined
  /** Whether the member turned off emails about the area. */
  hasMuted: boolean
}

/** Reads in one query what emails to the addresses depend on. */
export async function findRecipients(
  db: Tx,
  keys: Keys,
  addresses: readonly string[],
  area?: OptionalEmailArea,
): Promise<(address: string) => Recipient> {
  const rows = await db
    .selectFrom('member')
    .leftJoin('member_phrase', 'member_phrase.member_id', 'member.id')
    .leftJoin('muted_email_area', (join) =>
      join
        .onRef('muted_email_area.member_id', '=', 'member.id')
        .on(sql<boolean>`muted_email_area.area = ${area ?? null}::notification_area`),
    )
    .select(['member.id', 'member.email', 'sealed_phrase', 'muted_email_area.since'])
    .where(sql<SqlBool>`member.email = any(${addresses}::text[])`)
    .execute()
  const found = new Map(
    rows.map(({ id, email, sealed_phrase: sealed, since }) => [
      email,
      { phrase: sealed === null ? undefined : keys.open('phrase', id, sealed), hasMuted: since !== null },
    ]),
  )
  return (address) => found.get(address) ?? { phrase: undefined, hasMuted: false }
}
