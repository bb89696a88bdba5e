import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../keys.ts'
import { isMailKind } from '../mail-kinds.ts'
import { subjectOf } from '../render-mail.ts'
import { openShownMail } from '../encrypted-email.ts'
import { listSealedMails } from './console-mail.queries.ts'
import { blanksIn, type ShownSubject } from './present-mail.ts'

/**
 * The subjects of these emails as staff may see them, by email. Those that equal their template are left out.
 */
export async function readShownSubjects(
  { db, keys }: { db: Tx; keys: Keys },
  mails: readonly { id: string; kind: string }[],
): Promise<ReadonlyMap<string, ShownSubject>> {
  const ids = mails.filter(({ kind }) => isMailKind(kind) && blanksIn(subjectOf(kind, 'en')).length > 0)
  if (ids.length === 0) return new Map()
  const rows = await listSealedMails(
    db,
    ids.map(({ id }) => id),
  )
  return new Map(
    rows.flatMap(({ id, language, sealed_message }) => {
      const shown = sealed_message && openShownMail(keys, { id, sealed_message })
      return shown && language ? [[id, { subject: shown.subject, language }] as const] : []
    }),
  )
}
