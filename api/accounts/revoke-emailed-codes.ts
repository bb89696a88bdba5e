import type { Tx } from '../db/database.ts'
import { cancelEmailChange } from './email-change.queries.ts'
import { deleteMailboxCode } from '../members/mailbox-code.queries.ts'
import { deleteResetCodes } from './reset-code.queries.ts'
import { replaceSignUps } from './sign-up.queries.ts'

/** Invalidates all emailed codes and links, so that none survives a reset or a change of address. */
export async function revokeEmailedCodes(db: Tx, memberId: string): Promise<void> {
  await deleteResetCodes(db, memberId)
  await replaceSignUps(db, memberId)
  await cancelEmailChange(db, memberId)
  await deleteMailboxCode(db, memberId)
}
