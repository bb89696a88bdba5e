import { randomUUID } from 'node:crypto'
import type { Language } from '#contract/platform/fields.ts'
import { announceChange } from '../db/changes.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { findAntiPhishingPhraseOfAddress } from './anti-phishing-phrase.queries.ts'
import { insertMail } from './mail.queries.ts'
import type { Values, ValuesFor } from '../text/fill.ts'
import { covered, redactValues } from './redact-values.ts'
import type { MailKind, MailValue } from './mail-kinds.ts'
import { renderMail, type RichValues } from './render-mail.ts'
import { sealMail, type MailHeaders } from './encrypted-email.ts'

/** A member, or someone who is not a member yet. */
type Reader = { email: string; language: Language }

/**
 * Writes an email to the outbox, in the current transaction. Emails that someone without an account can trigger
 * need a permit first (`email-quota.ts`).
 */
export async function sendMail<Kind extends MailKind>(
  db: Tx,
  keys: Keys,
  reader: Reader,
  kind: Kind,
  ...[values]: ValuesFor<MailValue<Kind>>
): Promise<void> {
  await insertMail(
    db,
    await writeMail(db, keys, reader, { kind, values: (values ?? {}) as Values<MailValue<Kind>> }),
  )
  await announceChange(db, 'mail')
}

type Mail<Kind extends MailKind> = {
  kind: Kind
  values: Values<MailValue<Kind>>
  id?: string
  headers?: MailHeaders
  rich?: RichValues<Kind>
}

/** Creates the email as an outbox row that is not inserted yet. */
export async function writeMail<Kind extends MailKind>(db: Tx, keys: Keys, reader: Reader, mail: Mail<Kind>) {
  const phrase = await findAntiPhishingPhraseOfAddress(db, keys, reader.email)
  return composeMail(keys, { ...reader, phrase }, mail)
}

/** The same if the recipient's anti-phishing phrase is known. */
export function composeMail<Kind extends MailKind>(
  keys: Keys,
  { email, language, phrase }: Reader & { phrase: string | undefined },
  { kind, values, id = randomUUID(), headers, rich }: Mail<Kind>,
) {
  const message = {
    ...renderMail(kind, language, values, { phrase, rich }),
    shown: renderMail(kind, language, redactValues(values), {
      phrase: phrase && covered,
      look: 'frame',
      rich,
    }),
    ...(headers && { headers }),
  }
  return { id, toAddress: email, kind, language, sealedMessage: sealMail(keys, id, message) }
}
