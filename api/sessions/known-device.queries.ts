import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/time.ts'
import { hashSecret, randomSecret } from '../keys.ts'

export const deviceLife = 180 * DAY

/** Whether the browser with this token signed in before, as the member with that address or, without one, as anybody. */
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

/** Returns the token for the browser's cookie: its own, if it is known for another member, so that a family shares it. */
export async function rememberDevice(db: Tx, memberId: string, carried: string | undefined): Promise<string> {
  const token = carried && (await isKnownDevice(db, carried)) ? carried : randomSecret(32)
  await db
    .insertInto('known_device')
    .values({ token_hash: hashSecret(token), member_id: memberId })
    .onConflict((conflict) =>
      conflict.columns(['token_hash', 'member_id']).doUpdateSet({ last_used_at: sql`now()` }),
    )
    .execute()
  return token
}

export async function forgetDevices(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('known_device').where('member_id', '=', memberId).execute()
}

/** With a new password only the browser that set it is known. */
export async function rememberOnlyThisDevice(
  db: Tx,
  memberId: string,
  carried: string | undefined,
): Promise<string> {
  await forgetDevices(db, memberId)
  return rememberDevice(db, memberId, carried)
}

export const deleteOldDevices = (db: Tx) =>
  db.deleteFrom('known_device').where('last_used_at', '<', ago(deviceLife)).execute()
