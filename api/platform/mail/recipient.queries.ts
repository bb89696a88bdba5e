import { sql } from 'kysely'
import type { OptionalEmailArea } from '#contract/platform/notifications.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'

type Recipient = {
  /** The anti-phishing phrase. None for an unconfirmed address, which belongs to no one yet. */
  phrase: string | undefined
  /** Whether the member turned off emails about the area. */
  hasMuted: boolean
}

/** Reads in one query what an email to the address depends on. */
export async function findRecipient(
  db: Tx,
  keys: Keys,
  address: string,
  area?: OptionalEmailArea,
): Promise<Recipient> {
  const row = await db
    .selectFrom('member')
    .leftJoin('member_phrase', 'member_phrase.member_id', 'member.id')
    .leftJoin('muted_email_area', (join) =>
      join
        .onRef('muted_email_area.member_id', '=', 'member.id')
        .on(sql<boolean>`muted_email_area.area = ${area ?? null}::notification_area`),
    )
    .select(['member.id', 'sealed_phrase', 'muted_email_area.since'])
    .where('member.email', '=', address)
    .executeTakeFirst()
  if (!row) return { phrase: undefined, hasMuted: false }
  const { id, sealed_phrase, since } = row
  return {
    phrase: sealed_phrase === null ? undefined : keys.open('phrase', id, sealed_phrase),
    hasMuted: since !== null,
  }
}
