import type { Database, Tx } from '../../db/database.ts'
import { transaction } from '../../db/database.ts'
import { deleteInvitation, lockExpiredInvitations } from '../profiles/ambassador.queries.ts'
import {
  deleteApplication,
  deleteApplicationsOfAmbassador,
  findOpenInvitation,
} from './application.queries.ts'

/**
 * Erases an invitation that no one accepted, together with every application that led to it. The caller holds its lock.
 */
export async function eraseInvitation(db: Tx, ambassadorId: string): Promise<void> {
  await deleteApplicationsOfAmbassador(db, ambassadorId)
  await deleteInvitation(db, ambassadorId)
}

/**
 * Erases an application that a restored backup brought back, together with the invitation that was erased at the same
 * time.
 */
export async function eraseRevivedApplication(db: Tx, id: string): Promise<void> {
  const invitation = await findOpenInvitation(db, id)
  if (invitation !== undefined) await eraseInvitation(db, invitation)
  else await deleteApplication(db, id)
}

const atOnce = 200

/** Erases accepted applicants who never joined, so that they are not kept forever. */
export const eraseExpiredInvitations = (db: Database, age: number): Promise<void> =>
  transaction(db, async (db) => {
    for (const { id } of await lockExpiredInvitations(db, age, atOnce)) await eraseInvitation(db, id)
  })
