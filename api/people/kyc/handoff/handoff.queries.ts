import { sql } from 'kysely'
import { handoffLife } from '#contract/people/kyc-handoff.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { ago, fromNow } from '../../../platform/db/expressions.ts'
import type { Phone } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'

/** Serializes the hand-offs of one member, because two windows may request one at the same time. */
export const lockHandoffs = (db: Tx, memberId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`hand-offs ${memberId}`}, 0))`.execute(db)

const isAlive = sql<boolean>`ended_at is null and expires_at > now()`

/** Replaces the member's earlier hand-off. Of several concurrent ones, the last one wins. */
export async function insertHandoff(
  db: Tx,
  handoff: { memberId: string; sessionId: string; linkHash: string; room: number },
) {
  await deleteHandoffsOfMember(db, handoff.memberId)
  return db
    .insertInto('phone_handoff')
    .values({
      member_id: handoff.memberId,
      session_id: handoff.sessionId,
      link_hash: handoff.linkHash,
      room: handoff.room,
      expires_at: fromNow(handoffLife),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const findHandoffOfMember = (db: Tx, memberId: string) =>
  db
    .selectFrom('phone_handoff')
    .selectAll()
    .select(isAlive.as('is_alive'))
    .where('member_id', '=', memberId)
    .executeTakeFirst()

/** True if there was one to end. */
export async function endHandoffOfMember(db: Tx, memberId: string): Promise<boolean> {
  const row = await db
    .updateTable('phone_handoff')
    .set({ ended_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .where(isAlive)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Of two browsers that open the link at the same time, one wins; it may open it again in case the response was
 * lost.
 */
export async function bindHandoff(db: Tx, linkHash: string, secretHash: string, device: string) {
  const bound = await db
    .updateTable('phone_handoff')
    .set({ secret_hash: secretHash, opened_at: sql<Date>`now()`, device, expires_at: fromNow(handoffLife) })
    .where('link_hash', '=', linkHash)
    .where('secret_hash', 'is', null)
    .where(isAlive)
    .returningAll()
    .executeTakeFirst()
  if (bound) return { ...bound, isFirst: true }
  const again = await db
    .selectFrom('phone_handoff')
    .selectAll()
    .where('link_hash', '=', linkHash)
    .where('secret_hash', '=', secretHash)
    .where(isAlive)
    .executeTakeFirst()
  return again && { ...again, isFirst: false }
}

/** The phone with this secret, while its hand-off is open and its member may sign in. */
export async function findPhone(db: Tx, secretHash: string): Promise<Phone | undefined> {
  const row = await db
    .selectFrom('phone_handoff')
    .innerJoin('member', 'member.id', 'phone_handoff.member_id')
    .select(['phone_handoff.id', 'member_id'])
    .where('secret_hash', '=', secretHash)
    .where('member.active', '=', true)
    .where(isAlive)
    .executeTakeFirst()
  return row && { handoffId: row.id, memberId: row.member_id }
}

export const listHandoffPhotos = (db: Tx, handoffId: string) =>
  db
    .selectFrom('kyc_staged_photo')
    .select(['id', 'created_at'])
    .where('handoff_id', '=', handoffId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Locked, so that concurrent photos are counted one after the other and none is added after the end. */
export async function requireRoom(db: Tx, handoffId: string): Promise<void> {
  const row = await db
    .selectFrom('phone_handoff')
    .select('room')
    .where('id', '=', handoffId)
    .where(isAlive)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Refused('session_expired')
  const sent = await listHandoffPhotos(db, handoffId)
  if (sent.length >= row.room) throw refusedField('photo', 'too_many', { max: row.room })
}

export async function deleteHandoffsOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('phone_handoff').where('member_id', '=', memberId).execute()
}

/** Its photos are kept as long as any staged photo. */
export const deleteOldHandoffs = (db: Tx, age: number) =>
  db.deleteFrom('phone_handoff').where('expires_at', '<', ago(age)).execute()
