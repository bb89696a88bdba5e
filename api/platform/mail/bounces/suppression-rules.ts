import { mailRuleOf } from '../mail-kinds.ts'
import type { ClaimedMail } from '../mail.queries.ts'

/** Also sent to a mailbox that refuses emails, as are emails resent by staff. */
export const isNeverWithheld = ({ kind, round_from }: Pick<ClaimedMail, 'kind' | 'round_from'>): boolean =>
  round_from > 0 || mailRuleOf(kind)?.refused === 'send'

export const canBeTrial = (kind: string): boolean => mailRuleOf(kind)?.refused !== 'withhold'
