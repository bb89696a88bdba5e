import { DAY, HOUR, MINUTE } from '#contract/durations.ts'
import { pendingDays } from '#contract/newsletter.ts'
import type { MailKind } from './render-mail.ts'

/** How long the code or link of a mail opens something, from when it was written. Past that, the mail is of no use. */
export const codeLives = {
  activation: DAY,
  'choose-password': 30 * MINUTE,
  'password-reset': 30 * MINUTE,
  'administrator-password': 30 * MINUTE,
  'email-confirm': DAY,
  'mailbox-code': HOUR,
  'newsletter-confirm': pendingDays * DAY,
} as const satisfies { readonly [Kind in MailKind]?: number }

export const codeLifeOf = (kind: string): number | undefined =>
  (codeLives as Readonly<Record<string, number>>)[kind]
