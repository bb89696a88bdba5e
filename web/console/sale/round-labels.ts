import type { RoundRow } from '#contract/money/sale-rounds.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import type { TagColor } from '../../kernel/ui/tag.tsx'

export const roundStateLabels: Readonly<Record<RoundRow['state'], { words: PlainKey; colour: TagColor }>> = {
  upcoming: { words: 'consoleRounds.state.upcoming', colour: 'yellow' },
  current: { words: 'consoleRounds.state.current', colour: 'green' },
  ended: { words: 'consoleRounds.state.ended', colour: 'quiet' },
}

/** The ID in the address of the form for a new round. */
export const newRoundId = 'new'
