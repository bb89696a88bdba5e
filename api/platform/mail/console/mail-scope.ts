import { levelOf } from '#contract/people/level-of.ts'
import type { Caller } from '../../http/caller.ts'

/** Reveals an identity decision or a purchase, so it is limited to finance and administrators. */
export const isAboutFinance = (kind: string): boolean => /^(kyc|order|staff-order)-/.test(kind)

/** Which emails a caller can see: those for employees, or all. */
export type MailScope = 'general' | 'all'

export const scopeOf = ({ rights }: Pick<Caller, 'rights'>): MailScope =>
  rights.isWriteAccessAdmin || levelOf(rights, 'finance') >= 1 ? 'all' : 'general'

export const isWithin = (scope: MailScope, kind: string): boolean => scope === 'all' || !isAboutFinance(kind)

/** Whether the caller can read the text of the email, resend it, or stop it. */
export const canActOn = ({ rights }: Caller, kind: string): boolean =>
  levelOf(rights, 'employee') >= 2 &&
  (rights.isWriteAccessAdmin || !isAboutFinance(kind) || levelOf(rights, 'finance') >= 2)
