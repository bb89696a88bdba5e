import { parseDecimal } from '#contract/decimal.ts'
import type { ConsoleWithdrawalDetail, WithdrawalAction } from '#contract/console-withdrawals.ts'
import type { WithdrawalState } from '#contract/withdrawals.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'

type Offered = { act: WithdrawalAction; label: PlainKey; kind: 'primary' | 'quiet' }

const accept: Offered = { act: 'accept', label: 'consoleWithdrawals.accept', kind: 'primary' }
const refuse: Offered = { act: 'refuse', label: 'consoleWithdrawals.refuse', kind: 'quiet' }
const refund: Offered = { act: 'refund', label: 'consoleWithdrawals.refund', kind: 'primary' }

const close: Offered = { act: 'close', label: 'consoleWithdrawals.close', kind: 'quiet' }

const actions: Readonly<Record<WithdrawalState, readonly Offered[]>> = {
  requested: [accept, refuse, close],
  accepted: [refund, close],
  // Corrects a wrong refusal, a late payment, or a typing error.
  refused: [{ ...accept, kind: 'quiet' }],
  unpaid: [{ ...accept, kind: 'quiet' }],
  refunded: [{ ...refund, label: 'consoleWithdrawals.refund.correct', kind: 'quiet' }],
}

/**
 * The actions available in its current status. A proposal needs a second person; its author can only enter a different
 * refund.
 */
export const withdrawalActionsFor = (
  {
    state,
    proposal,
    unsettled,
    amount,
    amountIs,
    orderStatus,
  }: Pick<
    ConsoleWithdrawalDetail,
    'state' | 'proposal' | 'unsettled' | 'amount' | 'amountIs' | 'orderStatus'
  >,
  memberId: string,
): Offered[] => {
  const isOwn = (act: WithdrawalAction) =>
    proposal?.counts === true && proposal.by.id === memberId && proposal.act === act && act !== 'refund'
  // It must be decided first which order the payment belongs to.
  if (unsettled.length > 0) return []
  const isReceived = amountIs === 'received' && amount !== null && parseDecimal(amount) > 0n
  const isPaid = isReceived || orderStatus === 'completed'
  return actions[state].filter(({ act }) => !isOwn(act) && !(act === 'close' && isPaid))
}
