import { transaction } from '../../platform/db/database.ts'
import { recordReturned } from '../../platform/mail/bounces/record-bounce.ts'
import { recordComplaint } from '../../platform/mail/bounces/record-complaint.ts'
import { findMailOfToken } from '../../platform/mail/bounces/return-path.ts'
import type { Services } from '../../platform/services.ts'
import { unsubscribeAddress } from '../../publishing/newsletter/unsubscribe.ts'
import type { MailEvent } from './mail-event.ts'

/** Does nothing about an email that this installation didn't send, or about which the same was reported before. */
export async function recordMailEvent(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  event: MailEvent,
): Promise<void> {
  const id = findMailOfToken(keys, event.token)
  if (id === undefined) return
  await transaction(db, async (db) => {
    if (event.kind !== 'complaint') {
      await recordReturned(db, id, { failure: event.failure, isForGood: event.kind === 'permanent' })
      return
    }
    const address = await recordComplaint(db, id)
    if (address !== undefined) await unsubscribeAddress(db, address, 'complained')
  })
}
