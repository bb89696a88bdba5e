import type { WithdrawalAct, WithdrawalFlag } from '#contract/console-withdrawals.ts'
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
}
