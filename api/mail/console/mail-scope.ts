import { levelOf } from '#contract/level-of.ts'
import type { Caller } from '../../http/caller.ts'

/** What says how somebody's identity was judged, or what they buy: for finance and administrators. */
export const isAboutFinance = (kind: string): boolean => /^(kyc|order|staff-order)-/.test(kind)

/** Which mails somebody sees: those of employees, or all. */
export type MailScope = 'general' | 'all'

export const scopeOf = ({ rights }: Caller): MailScope =>
  rights.isWriteAccessAdmin || levelOf(rights, 'finance') >= 1 ? 'all' : 'general'

export const isWithin = (scope: MailScope, kind: string): boolean => scope === 'all' || !isAboutFinance(kind)

/** Whether the caller reads the text of the mail, and sends it again or stops it. */
export const mayActOn = ({ rights }: Caller, kind: string): boolean =>
  levelOf(rights, 'employee') >= 2 &&
  (rights.isWriteAccessAdmin || !isAboutFinance(kind) || levelOf(rights, 'finance') >= 2)
