import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import { hashSecret, randomSecret } from '../../platform/keys.ts'
import { devicesMax } from './tokens.ts'

export const deviceLife = 180 * DAY

/** Whether a row belongs to the browser with this token, which signed in recently. */
export const isOfDevice = (tokenHash: string | null) =>
  sql<boolean>`known_device.token_hash = ${tokenHash} and known_device.last_used_at > ${ago(deviceLife)}`

/**
 * Whether the browser with this token signed in before, as the member with that address or, without one, as
 * anyone.
 */
export async function isKnownDevice(db: Tx, token: string | undefined, email?: string): Promise<boolean> {
  if (!token) return false
  const row = await db
    .selectFrom('known_device')
    .innerJoin('member', 'member.id', 'known_device.member_id')
    .select('token_hash')
    .where('token_hash', '=', hashSecret(token))
    .where('last_used_at', '>', ago(deviceLife))
    .$if(email !== undefined, (query) => query.where('member.email', '=', email!))
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the browser with this token signed in before as one of these members. */
export async function isDeviceOfAny(
  db: Tx,
  token: string | undefined,
  memberIds: readonly string[],
): Promise<boolean> {
  if (!token || memberIds.length === 0) return false
  const row = await db
    .selectFrom('known_device')
    .select('token_hash')
    .where('token_hash', '=', hashSecret(token))
    .where('member_id', 'in', memberIds)
    .where('last_used_at', '>', ago(deviceLife))
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the member gave a second factor in the browser with this token. */
export async function hasProvedFactorOn(db: Tx, memberId: string, token: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_device')
    .select('token_hash')
    .where('token_hash', '=', hashSecret(token))
    .where('member_id', '=', memberId)
    .where('has_proved_factor', '=', true)
    .where('last_used_at', '>', ago(deviceLife))
    .executeTakeFirst()
  return row !== undefined
}

/** Records that the member gave a second factor in the browser with this token, if it is known. */
export async function recordDeviceProof(db: Tx, memberId: string, token: string | undefined): Promise<void> {
  if (!token) return
  await db
    .updateTable('known_device')
    .set({ has_proved_factor: true })
    .where('token_hash', '=', hashSecret(token))
    .where('member_id', '=', memberId)
    .execute()
}

/** After the last factor was removed: a browser's proof of it must not count for a later one. */
export async function deleteDeviceProofs(db: Tx, memberId: string): Promise<void> {
  await db
    .updateTable('known_device')
    .set({ has_proved_factor: false })
    .where('member_id', '=', memberId)
    .execute()
}

/** Statement parts that remember the browser with this token for the member of `entered`, during sign-in. */
export const rememberingDevice = (token: string, hasProvedFactor: boolean) => sql`
  remembered as (
    insert into known_device (token_hash, member_id, has_proved_factor)
    select ${hashSecret(token)}::text, id, ${hasProvedFactor}::boolean from entered
    on conflict (token_hash, member_id) do update set
      last_used_at = now(), has_proved_factor = known_device.has_proved_factor or excluded.has_proved_factor),
  unremembered as (
    delete from known_device where member_id = (select id from entered) and token_hash in (
      select token_hash from known_device
      where member_id = (select id from entered) and token_hash <> ${hashSecret(token)}
      order by has_proved_factor desc, last_used_at desc offset ${sql.lit(devicesMax - 1)}))`

/**
 * Returns the token for the browser's cookie: its own if it is known for another member, so that a family can
 * share it.
 */
async function rememberDevice(
  db: Tx,
  memberId: string,
  carried: string | undefined,
  hasProvedFactor: boolean,
): Promise<string> {
  const token = carried && (await isKnownDevice(db, carried)) ? carried : randomSecret(32)
  await db
    .insertInto('known_device')
    .values({ token_hash: hashSecret(token), member_id: memberId, has_proved_factor: hasProvedFactor })
    .onConflict((conflict) =>
      conflict.columns(['token_hash', 'member_id']).doUpdateSet({
        last_used_at: sql`now()`,
        has_proved_factor: sql`known_device.has_proved_factor or excluded.has_proved_factor`,
      }),
    )
    .execute()
  await deleteOldestDevices(db, memberId, hashSecret(token))
  return token
}

/**
 * Deletes devices beyond the maximum, except the given one; the caller has locked the member. Those with a
 * proved factor are kept longest.
 */
async function deleteOldestDevices(db: Tx, memberId: string, tokenHash: string): Promise<void> {
  await db
    .deleteFrom('known_device')
    .where('member_id', '=', memberId)
    .where('token_hash', 'in', (query) =>
      query
        .selectFrom('known_device')
        .select('token_hash')
        .where('member_id', '=', memberId)
        .where('token_hash', '!=', tokenHash)
        .orderBy('has_proved_factor', 'desc')
        .orderBy('last_used_at', 'desc')
        .offset(devicesMax - 1),
    )
    .execute()
}

export async function deleteDevices(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('known_device').where('member_id', '=', memberId).execute()
}

/**
 * After a new password only the browser that set it is known; after a reset by email, without a proved factor.
 */
export async function rememberOnlyThisDevice(
  db: Tx,
  memberId: string,
  carried: string | undefined,
  hasProvedFactor = false,
): Promise<string> {
  await deleteDevices(db, memberId)
  return rememberDevice(db, memberId, carried, hasProvedFactor)
}

export const deleteOldDevices = (db: Tx) =>
  db.deleteFrom('known_device').where('last_used_at', '<', ago(deviceLife)).execute()
