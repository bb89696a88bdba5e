import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../db/database.ts'
import { readPage, type Page } from '../db/read-page.ts'
import { ago } from '../db/time.ts'

/** Of the last 180 days, for each member. */
const signInsKept = 1_000

type SignIn = {
  clientHash: string
  deviceHash: string
  device: string
  language: Language
  hasProvedFactor: boolean
}

/**
 * Records a sign-in with its client and device; true if the member has signed in before, but never with this device from
 * this client.
 */
export async function noteSignIn(
  db: Tx,
  memberId: string,
  { clientHash, deviceHash, device, language, hasProvedFactor }: SignIn,
): Promise<boolean> {
  await db.updateTable('member').set({ language }).where('id', '=', memberId).execute()
  await db
    .insertInto('sign_in')
    .values({ member_id: memberId, device, has_proved_factor: hasProvedFactor })
    .execute()
  await forgetSignInsBeyond(db, memberId, signInsKept)
  await db
    .updateTable('member_summary')
    .set({ last_sign_in_at: sql<Date>`now()` })
    .where('id', '=', memberId)
    .execute()
  const known = await db
    .selectFrom('member_client')
    .select('client_hash')
    .where('member_id', '=', memberId)
    .execute()
  await db
    .insertInto('member_client')
    .values([clientHash, deviceHash].map((hash) => ({ member_id: memberId, client_hash: hash })))
    .onConflict((conflict) =>
      conflict.columns(['member_id', 'client_hash']).doUpdateSet({ last_seen_at: sql`now()` }),
    )
    .execute()
  // The client alone may come from a reset.
  const hasSignedIn = known.some((row) => row.client_hash !== clientHash)
  return hasSignedIn && !known.some((row) => row.client_hash === deviceHash)
}

async function forgetSignInsBeyond(db: Tx, memberId: string, kept: number): Promise<void> {
  await db
    .deleteFrom('sign_in')
    .where('id', 'in', (query) =>
      query
        .selectFrom('sign_in')
        .select('id')
        .where('member_id', '=', memberId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .offset(kept),
    )
    .execute()
}

/** A client that the member uses, without a sign-in. */
export async function noteClient(db: Tx, memberId: string, clientHash: string): Promise<void> {
  await db
    .insertInto('member_client')
    .values({ member_id: memberId, client_hash: clientHash })
    .onConflict((conflict) =>
      conflict.columns(['member_id', 'client_hash']).doUpdateSet({ last_seen_at: sql`now()` }),
    )
    .execute()
}

export async function hasSignedInFrom(db: Tx, email: string, clientHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('member_client')
    .innerJoin('member', 'member.id', 'member_client.member_id')
    .select('member_id')
    .where('member.email', '=', email)
    .where('client_hash', '=', clientHash)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteClientsOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('member_client').where('member_id', '=', memberId).execute()
}

export const forgetOldClients = (db: Tx) =>
  db
    .deleteFrom('member_client')
    .where('last_seen_at', '<', ago(180 * DAY))
    .execute()

/** The sign-ins that are remembered, the newest first. */
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

export const forgetOldSignIns = (db: Tx) =>
  db
    .deleteFrom('sign_in')
    .where('at', '<', ago(180 * DAY))
    .execute()
