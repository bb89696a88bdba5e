import { randomUUID } from 'node:crypto'
import type { Language } from '#contract/fields.ts'
import { announceChange } from '../db/changes.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { findAntiPhishingPhraseOfAddress } from './anti-phishing-phrase.queries.ts'
import { insertMail } from './mail.queries.ts'
import type { Values, ValuesFor } from '../fill.ts'
import { renderMail, type MailKind, type MailValue } from './render-mail.ts'

/** A member, or somebody who is not a member yet. */
type Reader = { email: string; language: Language }

/**
 * Writes a mail to the outbox, in the current transaction. What somebody without an account can cause takes a permit first
 * (`mail-permit.ts`).
 */
export async function sendMail<Kind extends MailKind>(
  db: Tx,
  keys: Keys,
  { email, language }: Reader,
  kind: Kind,
  ...[values]: ValuesFor<MailValue<Kind>>
): Promise<void> {
  const id = randomUUID()
  const phrase = await findAntiPhishingPhraseOfAddress(db, keys, email)
  const message = JSON.stringify(
    renderMail(kind, language, (values ?? {}) as Values<MailValue<Kind>>, phrase),
  )
  await insertMail(db, {
    id,
    toAddress: email,
    kind,
    sealedMessage: keys.seal('mail', id, message),
  })
  await announceChange(db, 'mail')
}
