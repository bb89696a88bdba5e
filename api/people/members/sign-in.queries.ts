import { sql, type RawBuilder } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readPage, type Page } from '../../platform/db/read-page.ts'
import { ago } from '../../platform/db/expressions.ts'

/** The maximum per member, within the last 180 days. */
const signInsKept = 1_000
/** Twice as many as known browsers, because each leaves two. */
const clientsKept = 200
/** A batch that is deleted quickly, however many an earlier release left. */
const clientsAtOnce = 10_000

type SignIn = {
  clientHash: string
  deviceHash: string
  device: string
  language: Language
  hasProvedFactor: boolean
}

/**
 * Whether the member signed in before, but never with this device from this client. The client alone may come
 * from a reset.
 */
export const isNewPlace = ({ clientHash, deviceHash }: Pick<SignIn, 'clientHash' | 'deviceHash'>) =>
  sql<boolean>`(exists (
    select from member_client where member_client.member_id = member.id and client_hash <> ${clientHash}
  ) and not exists (
    select from member_client where member_client.member_id = member.id and client_hash = ${deviceHash}))`

/**
 * Statement parts that record a sign-in with its client and device, for the member of `entered`. The statement
 * does not see its own writes, so the limit applies to earlier rows. The time is taken under the member's lock,
 * so that a sign-in that waited comes after what it waited for. Only some clients are checked: one that is
 * older than the maximum among any subset is so among all.
 */
export const recordingSignIn = ({ clientHash, deviceHash, device, language, hasProvedFactor }: SignIn) => sql`
  speaking as (
    update member set language = ${language} from entered
    where member.id = entered.id and member.language <> ${language}),
  noted as (
    insert into sign_in (member_id, device, has_proved_factor)
    select id, ${device}::text, ${hasProvedFactor}::boolean from entered),
  forgotten as (
    delete from sign_in where id in (
      select sign_in.id from sign_in where sign_in.member_id = (select id from entered)
      order by at desc, id desc offset ${sql.lit(signInsKept - 1)})),
  summarised as (
    update member_summary
    set last_sign_in_at = clock_timestamp() from entered where member_summary.id = entered.id),
  seen as (
    insert into member_client (member_id, client_hash)
    select id, hash from entered, unnest(array[${clientHash}, ${deviceHash}]::text[]) hash
    on conflict (member_id, client_hash) do update set last_seen_at = now()),
  unseen as (
    delete from member_client where member_id = (select id from entered) and client_hash in (
      select client_hash from (
        select client_hash, last_seen_at from member_client
        where member_id = (select id from entered) and client_hash not in (${clientHash}, ${deviceHash})
        limit ${sql.lit(clientsAtOnce)}) looked_at
      order by last_seen_at desc offset ${sql.lit(clientsKept - 2)}))`

/** Records a client that the member uses, without a sign-in. */
export async function recordClient(db: Tx, memberId: string, clientHash: string): Promise<void> {
  await db
    .insertInto('member_client')
    .values({ member_id: memberId, client_hash: clientHash })
    .onConflict((conflict) =>
      conflict.columns(['member_id', 'client_hash']).doUpdateSet({ last_seen_at: sql`now()` }),
    )
    .execute()
}

/** Whether the member signed in from that client, or came by a reset. */
export const isClientOf = (memberId: RawBuilder<string>, clientHash: string) => sql<boolean>`exists (
  select from member_client where member_client.member_id = ${memberId} and client_hash = ${clientHash})`

export async function deleteClientsOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('member_client').where('member_id', '=', memberId).execute()
}

export const deleteOldClients = (db: Tx) =>
  db
    .deleteFrom('member_client')
    .where('last_seen_at', '<', ago(180 * DAY))
    .execute()

/** The recorded sign-ins, newest first. */
export const listSignIns = (db: Tx, memberId: string, page: Page) =>
  readPage(
    db
      .selectFrom('sign_in')
      .select(['id', 'at', 'device', 'has_proved_factor'])
      .where('member_id', '=', memberId),
    page,
    { at: 'at', id: 'id' },
  )

export async function deleteSignInsOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('sign_in').where('member_id', '=', memberId).execute()
}

export const deleteOldSignIns = (db: Tx) =>
  db
    .deleteFrom('sign_in')
    .where('at', '<', ago(180 * DAY))
    .execute()
