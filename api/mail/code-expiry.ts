import { DAY, HOUR, MINUTE } from '#contract/durations.ts'
import { pendingDays } from '#contract/newsletter.ts'
import type { MailKind, MailValue } from './render-mail.ts'

type WithCode = { [Kind in MailKind]: 'code' extends MailValue<Kind> ? Kind : never }[MailKind]

/** How long the code or link in an email is valid after it was created. After that, the email is useless. */
export const codeExpiry = {
  activation: DAY,
  'choose-password': 30 * MINUTE,
  'password-reset': 30 * MINUTE,
  'administrator-password': 30 * MINUTE,
  'email-confirm': DAY,
  'mailbox-code': HOUR,
  'newsletter-confirm': pendingDays * DAY,
} as const satisfies { readonly [Kind in MailKind]?: number } & Readonly<Record<WithCode, number>>

export const codeExpiryOf = (kind: string): number | undefined =>
  (codeExpiry as Readonly<Record<string, number>>)[kind]
