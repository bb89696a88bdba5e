import { codeLifeOf } from '../code-lives.ts'
import type { ClaimedMail } from '../mail.queries.ts'
import type { MailKind } from '../render-mail.ts'

/** They tell of what somebody else may be doing with the account, or hold the only link that stops it. */
const ofSecurity: ReadonlySet<string> = new Set<MailKind>([
  'password-changed',
  'staff-password-needed',
  'email-change-requested',
  'email-changed',
  'rights-changed',
  'rights-changed-by',
  'administrator-by-setting',
  'administrator-made',
  'account-deactivated',
  'account-reopened',
  'erasure-opened',
  'erasure-dropped',
  'second-factor-added',
  'second-factor-removed',
  'factors-ended',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-renewed',
  'recovery-code-used',
  'new-sign-in',
  'wrong-factors',
  'session-copied',
  'lost-factor-asked',
  'lost-factor-opened',
  'lost-factor-confirmed',
  'lost-factor-declined',
  'lost-factor-stopped',
  'lost-factor-done',
  'data-exported',
  'phrase-set',
  'phrase-changed',
  'phrase-removed',
  'sale-address-changed',
  'sale-address-proposed',
])

/** Anybody who knows the address has them sent, and would take the one trial of the day from what matters; so would news. */
const ofStrangers: ReadonlySet<string> = new Set<MailKind>([
  'already-member',
  'account-closed',
  'ambassador-received',
  'newsletter-already',
  'news-post',
  'news-digest',
])

/** Goes also to a mailbox that refuses: asked for by its reader, who has no other way in, or by the staff, or about security. */
export const isNeverWithheld = ({ kind, round_from }: Pick<ClaimedMail, 'kind' | 'round_from'>): boolean =>
  codeLifeOf(kind) !== undefined || kind === 'test' || round_from > 0 || ofSecurity.has(kind)

export const mayBeTrial = (kind: string): boolean => !ofStrangers.has(kind)
