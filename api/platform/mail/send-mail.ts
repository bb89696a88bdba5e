import { randomUUID } from 'node:crypto'
import type { Language } from '#contract/platform/fields.ts'
import { announceChange } from '../db/changes.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { insertMailsWithNotifications } from './mail.queries.ts'
import type { Values, ValuesFor } from '../text/fill.ts'
import { covered, redactValues } from './redact-values.ts'
import { mailRuleOf, optionalAreaOf, type MailKind, type MailValue } from './mail-kinds.ts'
import type { NewNotification } from './notifications/notification.queries.ts'
import { findRecipients } from './recipient.queries.ts'
import { renderMail, type RichValues } from './render-mail.ts'
import { sealMail, type MailHeaders } from './encrypted-email.ts'

/** A member, or someone who is not a member yet. */
type Reader = { email: string; language: Language }

/** The ID is required if the address no longer belongs to the member. */
type Addressee = Reader & {
  id?: string
  /** Where the notification leads if the email must not reveal it. */
  opens?: string
}

/**
 * Writes an email to the outbox and its notification to the member's account, in the current transaction. If the member
 * turned off emails about its area, only the notification is written. Emails that someone without an account can
 * trigger need a permit first (`email-quota.ts`).
 */
export async function sendMail<Kind extends MailKind>(
  db: Tx,
  keys: Keys,
  reader: Addressee,
  kind: Kind,
  ...[given]: ValuesFor<MailValue<Kind>>
): Promise<void> {
  await sendMails(db, keys, kind, [{ reader, values: (given ?? {}) as Values<MailValue<Kind>> }])
}

/** Does the same for many readers, in as few statements as for one. */
export async function sendMails<Kind extends MailKind>(
  db: Tx,
  keys: Keys,
  kind: Kind,
  letters: readonly { reader: Addressee; values: Values<MailValue<Kind>> }[],
): Promise<void> {
  if (letters.length === 0) return
  const addresses = letters.map(({ reader }) => reader.email)
  const recipientAt = await findRecipients(db, keys, addresses, optionalAreaOf(kind))
  const notifications = letters.map(({ reader, values }) => notificationOf(reader, kind, values))
  const mails = letters
    .map(({ reader, values }, index) => ({
      isMuted:
        notifications[index] !== undefined && recipientAt(reader.email).hasMuted && !mailRuleOf(kind)?.always,
      reader,
      values,
    }))
    .filter(({ isMuted }) => !isMuted)
    .map(({ reader, values }) =>
      composeMail(keys, { ...reader, phrase: recipientAt(reader.email).phrase }, { kind, values }),
    )
  await insertMailsWithNotifications(
    db,
    mails,
    notifications.filter((notification) => notification !== undefined),
  )
  if (mails.length > 0) await announceChange(db, 'mail')
}

/** Emails that don't go to members have no notification. */
export function notificationOf(
  { id, email, opens }: Addressee,
  kind: MailKind,
  { link, reference }: Partial<Values<string>>,
): NewNotification | undefined {
  const rule = mailRuleOf(kind)
  if (!rule?.area) return undefined
  const path = opens ?? rule.opens ?? (rule.area === 'security' ? '/account/security' : pathOf(`${link}`))
  const named = reference === undefined ? null : `${reference}`
  return { memberId: id, address: email, kind, area: rule.area, path, reference: named }
}

function pathOf(link: string): string {
  const { pathname, search, hash } = new URL(link)
  return pathname + search + hash
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
  const { phrase } = (await findRecipients(db, keys, [reader.email]))(reader.email)
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
