import { recordAudit } from '../../audit/audit.queries.ts'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { deleteMailPause, insertMailPause } from './mail-pause.queries.ts'

/**
 * Pauses or resumes the delivery of emails in all instances: each claim of an email reads the state. Emails wait in the
 * outbox meanwhile. `actorId` is null for a command on the server. Returns whether anything changed.
 */
export async function setMailPause(
  db: Tx,
  { isPaused, actorId }: { isPaused: boolean; actorId: string | null },
): Promise<boolean> {
  const isChanged = await (isPaused ? insertMailPause(db) : deleteMailPause(db))
  if (!isChanged) return false
  await recordAudit(db, {
    actorId,
    action: isPaused ? 'mails-paused' : 'mails-resumed',
    subjectKind: 'mail',
    subjectId: null,
  })
  if (!isPaused) await announceChange(db, 'mail')
  return true
}
