import type { Tx } from '../../platform/db/database.ts'
import { hashSecret, randomSecret } from '../../platform/keys.ts'
import { deleteResetCodes, insertResetCode } from './reset-code.queries.ts'
import { mailKinds } from '../../platform/mail/mail-kinds.ts'
import { deleteMailboxCode } from '../members/mailbox-code.queries.ts'
import { cancelEmailChange } from './email-change.queries.ts'
import { replaceSignUps } from './sign-up.queries.ts'

const resetLife = mailKinds['password-reset'].expiresAfter
const resetCodeBytes = 24

/** For an email to the member, in the same transaction. `life` is in milliseconds. */
export async function newResetCode(db: Tx, memberId: string, life = resetLife): Promise<string> {
  const code = randomSecret(resetCodeBytes)
  await insertResetCode(db, memberId, hashSecret(code), life)
  return code
}

/** Invalidates all emailed codes and links, so that none survives a reset or a change of address. */
export async function revokeEmailedCodes(db: Tx, memberId: string): Promise<void> {
  await deleteResetCodes(db, memberId)
  await replaceSignUps(db, memberId)
  await cancelEmailChange(db, memberId)
  await deleteMailboxCode(db, memberId)
}
