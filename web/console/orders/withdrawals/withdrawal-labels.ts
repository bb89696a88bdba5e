import type { RefundBasis } from '#contract/money/console-withdrawals.ts'
import type { WithdrawalState } from '#contract/money/withdrawals.ts'
import type { KeyTaking, PlainKey } from '../../../kernel/i18n/message-key.ts'
import type { TagColor } from '../../../kernel/ui/tag.tsx'

export const statusLabels: Readonly<Record<WithdrawalState, { words: PlainKey; colour: TagColor }>> = {
  requested: { words: 'consoleWithdrawals.state.requested', colour: 'yellow' },
  accepted: { words: 'consoleWithdrawals.state.accepted', colour: 'verdigris' },
  refused: { words: 'consoleWithdrawals.state.refused', colour: 'quiet' },
  refunded: { words: 'consoleWithdrawals.state.refunded', colour: 'green' },
  unpaid: { words: 'consoleWithdrawals.state.unpaid', colour: 'quiet' },
}

/** The basis of an amount, so that no one refunds an amount that was due but not paid. */
export const basisLabels: Readonly<Record<RefundBasis, PlainKey>> = {
  received: 'consoleWithdrawals.amount.received',
  on_chain: 'consoleWithdrawals.amount.onChain',
  due: 'consoleWithdrawals.amount.due',
}

export const basisHelp: Readonly<Record<RefundBasis, KeyTaking<'amount'>>> = {
  received: 'consoleWithdrawals.refund.amount.help',
  on_chain: 'consoleWithdrawals.refund.amount.help.onChain',
  due: 'consoleWithdrawals.refund.amount.help.due',
}
