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
  // A refusal that was wrong, a payment that came after all, and a typing error are put right.
  refused: [{ ...accept, kind: 'quiet' }],
  unpaid: [{ ...accept, kind: 'quiet' }],
  refunded: [{ ...refund, label: 'consoleWithdrawals.refund.correct', kind: 'quiet' }],
}

/** What can be done with it as it is. What one has proposed oneself is for somebody else, unless a refund is typed anew. */
export const actsFor = (
  {
    state,
    proposal,
    unsettled,
    amountIs,
    orderStatus,
  }: Pick<ConsoleWithdrawalDetail, 'state' | 'proposal' | 'unsettled' | 'amountIs' | 'orderStatus'>,
  memberId: string,
): Offered[] => {
  const isOwn = (act: WithdrawalAct) =>
    proposal?.counts === true && proposal.by.id === memberId && proposal.act === act && act !== 'refund'
  // Over an open flag a withdrawal can only be refused.
  const isBarred = (act: WithdrawalAct) => unsettled.length > 0 && act !== 'refuse'
  const isPaid = amountIs === 'received' || orderStatus === 'completed'
  return acts[state].filter(({ act }) => !isOwn(act) && !isBarred(act) && !(act === 'close' && isPaid))
}
