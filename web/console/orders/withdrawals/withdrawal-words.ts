import type { RefundBasis, WithdrawalAct, WithdrawalFlag } from '#contract/console-withdrawals.ts'
import type { WithdrawalState } from '#contract/withdrawals.ts'
import type { KeyTaking, PlainKey } from '../../../i18n/message-key.ts'
import type { TagColour } from '../../../ui/tag.tsx'

export const stateWords: Readonly<Record<WithdrawalState, { words: PlainKey; colour: TagColour }>> = {
  requested: { words: 'consoleWithdrawals.state.requested', colour: 'yellow' },
  accepted: { words: 'consoleWithdrawals.state.accepted', colour: 'verdigris' },
  refused: { words: 'consoleWithdrawals.state.refused', colour: 'quiet' },
  refunded: { words: 'consoleWithdrawals.state.refunded', colour: 'green' },
  unpaid: { words: 'consoleWithdrawals.state.unpaid', colour: 'quiet' },
}

/** What the amount of a withdrawal is: nobody sends back as paid what was only due. */
export const basisWords: Readonly<Record<RefundBasis, PlainKey>> = {
  received: 'consoleWithdrawals.amount.received',
  on_chain: 'consoleWithdrawals.amount.onChain',
  due: 'consoleWithdrawals.amount.due',
}

export const basisHelp: Readonly<Record<RefundBasis, KeyTaking<'amount'>>> = {
  received: 'consoleWithdrawals.refund.amount.help',
  on_chain: 'consoleWithdrawals.refund.amount.help.onChain',
  due: 'consoleWithdrawals.refund.amount.help.due',
}

export const flagWords: Readonly<Record<WithdrawalFlag, PlainKey>> = {
  open: 'consoleWithdrawals.flag.open',
  overdue: 'consoleWithdrawals.flag.overdue',
}

export const proposalWords: Readonly<
  Record<WithdrawalAct, KeyTaking<'name' | 'time' | 'amount' | 'transaction' | 'day'>>
> = {
  accept: 'consoleWithdrawals.proposal.accept',
  refuse: 'consoleWithdrawals.proposal.refuse',
  refund: 'consoleWithdrawals.proposal.refund',
  close: 'consoleWithdrawals.proposal.close',
}
