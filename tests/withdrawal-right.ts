import type { WithdrawalRight } from '#contract/withdrawals.ts'

/** As an installation answers that gives no right to withdraw. */
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
