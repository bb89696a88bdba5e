import type { WithdrawalState } from '#contract/withdrawals.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { TagColour } from '../../ui/tag.tsx'

/** As its member reads it. */
export const withdrawalStateWords: Readonly<Record<WithdrawalState, { words: PlainKey; colour: TagColour }>> =
  {
    requested: { words: 'withdrawals.state.requested', colour: 'yellow' },
    accepted: { words: 'withdrawals.state.accepted', colour: 'verdigris' },
    refused: { words: 'withdrawals.state.refused', colour: 'red' },
    refunded: { words: 'withdrawals.state.refunded', colour: 'green' },
    unpaid: { words: 'withdrawals.state.unpaid', colour: 'quiet' },
  }
