import { sql } from 'kysely'
import { HOUR, MINUTE } from '#contract/durations.ts'
import { emptyTrash } from '../announcements/announcement.queries.ts'
import { isOutage, type Database } from '../db/database.ts'
import {
  destroyDocumentsOfErased,
  destroyStalePhotos,
  forgetFile,
  listDestroyedFiles,
} from '../kyc/kyc.queries.ts'
import { stalePhotosAge } from '../kyc/kyc.rules.ts'
import { deleteOldMails } from '../mail/mail.queries.ts'
import { deleteDeadResetCodes } from '../members/reset-code.queries.ts'
import { retention } from '../members/retention.ts'
import { deleteDeadSignUps } from '../members/sign-up.queries.ts'
import { deleteOrdersOfErased } from '../orders/order.queries.ts'
import type { Services } from '../services.ts'

const every = HOUR
const filesAtOnce = 500

/** Removes what has expired. Each step may run in several instances at once and may be cut off at any point. */
export function startHousekeeping(services: Services): { stop(): void } {
  const run = () => void cleanUp(services).catch((error: unknown) => logFailure(services, error))
  const first = setTimeout(run, MINUTE)
  const timer = setInterval(run, every)
  return {
    stop() {
      clearTimeout(first)
      clearInterval(timer)
    },
  }
}

/** One round of it. */
export async function cleanUp({ db, files }: Services): Promise<void> {
  await deleteExpired(db)
  await deleteDeadSignUps(db)
  await deleteDeadResetCodes(db)
  await deleteOldMails(db)
  await emptyTrash(db)
  await destroyStalePhotos(db, stalePhotosAge)
  await destroyDocumentsOfErased(db, retention)
  await deleteOrdersOfErased(db, retention)
  for (const { file_key } of await listDestroyedFiles(db, filesAtOnce)) {
    await files.remove(file_key)
    await forgetFile(db, file_key)
  }
}

async function deleteExpired(db: Database): Promise<void> {
  await sql`delete from access_token where expires_at < now()`.execute(db)
  await sql`delete from session where expires_at < now() or last_used_at + idle_ms * interval '1 millisecond' < now()`.execute(
    db,
  )
  await sql`delete from email_change where expires_at < now()`.execute(db)
  await sql`delete from throttle where resets_at < now()`.execute(db)
  await sql`delete from member_client where last_seen_at < now() - interval '180 days'`.execute(db)
}

function logFailure({ log }: Services, error: unknown): void {
  if (isOutage(error)) log.warn('the clean-up waits for the database')
  else log.error({ name: error instanceof Error ? error.name : 'unknown' }, 'the clean-up failed')
}
