import { randomUUID } from 'node:crypto'
import { HOUR } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import { announceChange } from '../db/changes.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { findAntiPhishingPhraseOfAddress } from './anti-phishing-phrase.queries.ts'
import { consume } from '../rate-limits/rate-limit.ts'
import { insertMail } from './mail.queries.ts'
import type { Values, ValuesFor } from '../fill.ts'
import { renderMail, type MailKind, type MailValue } from './render-mail.ts'

/** A member, or somebody who is not a member yet. */
type Reader = { email: string; language: Language }

/** The limit of mails that a stranger can trigger. Notices about an account are exempt. */
const causedByStrangers = new Set<MailKind>([
  'activation',
  'already-member',
  'password-reset',
  'email-confirm',
  'ambassador-received',
])
const mailsPerHourMax = 5

/**
 * Writes a mail to the outbox, in the current transaction. Beyond the limit of its address it is dropped silently, so that
 * responses never reveal it.
 */
export async function sendMail<Kind extends MailKind>(
  db: Tx,
  keys: Keys,
  { email, language }: Reader,
  kind: Kind,
  ...[values]: ValuesFor<MailValue<Kind>>
): Promise<void> {
  if (causedByStrangers.has(kind)) {
    const wait = await consume(db, keys, [{ key: `mail ${email}`, max: mailsPerHourMax, window: HOUR }])
    if (wait !== undefined) return
  }
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
