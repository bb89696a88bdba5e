import type { WithdrawalRight } from '#contract/withdrawals.ts'

/** The response of an installation that grants no right of withdrawal. */
export const noWithdrawal: WithdrawalRight = {
  orderId: 'o1',
  memberId: 'm1',
  days: 0,
  timeZone: 'UTC',
  until: null,
  lastDay: null,
  canRequest: false,
  isUnpaid: false,
  refundChain: null,
  withdrawal: null,
}
