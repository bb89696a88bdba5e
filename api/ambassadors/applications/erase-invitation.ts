import type { Database, Tx } from '../../db/database.ts'
import { transaction } from '../../db/database.ts'
import { deleteInvitation, lockUntakenInvitations } from '../profiles/ambassador.queries.ts'
import {
  deleteApplication,
  deleteApplicationsOfAmbassador,
  findUntakenInvitation,
} from './application.queries.ts'

/** An invitation that nobody has taken goes with every application that led to it. The caller holds it. */
export async function eraseInvitation(db: Tx, ambassadorId: string): Promise<void> {
  await deleteApplicationsOfAmbassador(db, ambassadorId)
  await deleteInvitation(db, ambassadorId)
}

/** A restored backup brought it back, and with it the invitation that was erased at the same time. */
export async function eraseRevivedApplication(db: Tx, id: string): Promise<void> {
  const invitation = await findUntakenInvitation(db, id)
  if (invitation !== undefined) await eraseInvitation(db, invitation)
  else await deleteApplication(db, id)
}

const atOnce = 200

/** Who was accepted and never joined is not kept for good. */
export const eraseUntakenInvitations = (db: Database, age: number): Promise<void> =>
  transaction(db, async (db) => {
    for (const { id } of await lockUntakenInvitations(db, age, atOnce)) await eraseInvitation(db, id)
  })
