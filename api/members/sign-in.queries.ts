import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../db/database.ts'
import { readPage, type Page } from '../db/read-page.ts'
import { ago } from '../db/time.ts'

/** Of the last 180 days, for each member. */
const signInsKept = 1_000
/** Twice as many as known browsers: each leaves two. */
const clientsKept = 200
/** As many as are deleted soon enough, however many an earlier release left. */
const clientsAtOnce = 10_000

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
    // Under the member's lock: a sign-in that waited for it comes after what it waited for.
    .set({ last_sign_in_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', memberId)
    .execute()
  const isNew =
    (await hasClientBesides(db, memberId, clientHash)) && !(await isClient(db, memberId, deviceHash))
  for (const hash of [clientHash, deviceHash]) await noteClient(db, memberId, hash)
  await forgetOldestClients(db, memberId)
  return isNew
}

/** Whether the member has signed in: the client alone may come from a reset. */
async function hasClientBesides(db: Tx, memberId: string, clientHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('member_client')
    .select('client_hash')
    .where('member_id', '=', memberId)
    .where('client_hash', '!=', clientHash)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function isClient(db: Tx, memberId: string, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('member_client')
    .select('client_hash')
    .where('member_id', '=', memberId)
    .where('client_hash', '=', hash)
    .executeTakeFirst()
  return row !== undefined
}

/** Beyond the most there are. Of however many it looks at some: one that is older than the most among them is so among all. */
async function forgetOldestClients(db: Tx, memberId: string): Promise<void> {
  await db
    .deleteFrom('member_client')
    .where('member_id', '=', memberId)
    .where('client_hash', 'in', (query) =>
      query
        .selectFrom((query) =>
          query
            .selectFrom('member_client')
            .select(['client_hash', 'last_seen_at'])
            .where('member_id', '=', memberId)
            .limit(clientsAtOnce)
            .as('some'),
        )
        .select('client_hash')
        .orderBy('last_seen_at', 'desc')
        .offset(clientsKept),
    )
    .execute()
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
