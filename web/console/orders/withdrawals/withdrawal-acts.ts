import { parseDecimal } from '#contract/decimal.ts'
import type { ConsoleWithdrawalDetail, WithdrawalAct } from '#contract/console-withdrawals.ts'
import type { WithdrawalState } from '#contract/withdrawals.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'

type Offered = { act: WithdrawalAct; label: PlainKey; kind: 'primary' | 'quiet' }

const accept: Offered = { act: 'accept', label: 'consoleWithdrawals.accept', kind: 'primary' }
const refuse: Offered = { act: 'refuse', label: 'consoleWithdrawals.refuse', kind: 'quiet' }
const refund: Offered = { act: 'refund', label: 'consoleWithdrawals.refund', kind: 'primary' }

const close: Offered = { act: 'close', label: 'consoleWithdrawals.close', kind: 'quiet' }

const acts: Readonly<Record<WithdrawalState, readonly Offered[]>> = {
  requested: [accept, refuse, close],
  accepted: [refund, close],
  // Corrects a wrong refusal, a late payment, or a typing error.
  refused: [{ ...accept, kind: 'quiet' }],
  unpaid: [{ ...accept, kind: 'quiet' }],
  refunded: [{ ...refund, label: 'consoleWithdrawals.refund.correct', kind: 'quiet' }],
}

/**
 * Actions available in its current state. A proposal is left to a second person, unless its author enters a new
 * refund.
 */
export const actsFor = (
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
  const isOwn = (act: WithdrawalAct) =>
    proposal?.counts === true && proposal.by.id === memberId && proposal.act === act && act !== 'refund'
  // Whose payment it is, is decided first.
  if (unsettled.length > 0) return []
  const isReceived = amountIs === 'received' && amount !== null && parseDecimal(amount) > 0n
  const isPaid = isReceived || orderStatus === 'completed'
  return acts[state].filter(({ act }) => !isOwn(act) && !(act === 'close' && isPaid))
}
