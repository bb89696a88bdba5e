import type { Tx } from '../../db/database.ts'
import { complaint } from '../mail-failure.ts'
import { recordMailboxRefusal } from './mailbox-refusal.queries.ts'
import { markMailComplained } from './returned-mail.queries.ts'

/**
 * In a transaction. The recipient reported the email as spam: a member no longer gets emails that they could turn off.
 * Returns the address; undefined if the email is unknown, wasn't delivered, or was reported before.
 */
export async function recordComplaint(db: Tx, id: string): Promise<string | undefined> {
  const address = await markMailComplained(db, id)
  if (address !== undefined)
    await recordMailboxRefusal(db, address, { error: complaint }, { isReported: true })
  return address
}
