import type { Tx } from '../db/database.ts'
import { hashSecret, randomSecret } from '../keys.ts'
import { insertResetCode } from './reset-code.queries.ts'
import { mailKinds } from '../mail/mail-kinds.ts'

const resetLife = mailKinds['password-reset'].expiresAfter
const resetCodeBytes = 24

/** For an email to the member, in the same transaction. */
export async function newResetCode(db: Tx, memberId: string): Promise<string> {
  const code = randomSecret(resetCodeBytes)
  await insertResetCode(db, memberId, hashSecret(code), resetLife)
  return code
}
