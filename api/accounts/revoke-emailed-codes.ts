import type { Tx } from '../db/database.ts'
import { dropEmailChange } from './email-change.queries.ts'
import { dropMailboxCode } from '../members/mailbox-code.queries.ts'
import { deleteResetCodes } from './reset-code.queries.ts'
import { replaceSignUps } from './sign-up.queries.ts'

/** Invalidates all emailed codes and links, so that none survives a reset or a change of address. */
export async function endCodesInMailbox(db: Tx, memberId: string): Promise<void> {
  await deleteResetCodes(db, memberId)
  await replaceSignUps(db, memberId)
  await dropEmailChange(db, memberId)
  await dropMailboxCode(db, memberId)
}
