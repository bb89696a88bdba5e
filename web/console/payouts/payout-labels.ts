import { holdReasons } from '#contract/money/deliveries.ts'
import {
  payoutObstacles,
  type PayoutFormat,
  type PayoutItemState,
  type PayoutLineProblem,
  type PayoutObstacle,
  type PayoutState,
  type PayoutWarning,
} from '#contract/money/payouts.ts'
import type { PayoutTransferProblem } from '#contract/money/payout-transfers.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import type { TagColor } from '../../kernel/ui/tag.tsx'

export const stateLabels: Readonly<Record<PayoutState, { words: PlainKey; colour: TagColor }>> = {
  waiting: { words: 'consolePayouts.state.waiting', colour: 'yellow' },
  ready: { words: 'consolePayouts.state.ready', colour: 'verdigris' },
  exported: { words: 'consolePayouts.state.exported', colour: 'yellow' },
  partly_sent: { words: 'consolePayouts.state.partly_sent', colour: 'yellow' },
  sent: { words: 'consolePayouts.state.sent', colour: 'verdigris' },
  done: { words: 'consolePayouts.state.done', colour: 'green' },
  cancelled: { words: 'consolePayouts.state.cancelled', colour: 'quiet' },
}

export const warningLabels: Readonly<Record<PayoutWarning, PlainKey>> = {
  new_address: 'consolePayouts.warning.new_address',
  changed_recently: 'consolePayouts.warning.changed_recently',
  shared: 'consolePayouts.warning.shared',
  never_proved: 'consolePayouts.warning.never_proved',
}

export const formatLabels: Readonly<Record<PayoutFormat, PlainKey>> = {
  csv: 'consolePayouts.format.csv',
  safe: 'consolePayouts.format.safe',
  disperse: 'consolePayouts.format.disperse',
  psbt: 'consolePayouts.format.psbt',
}

export const itemStateLabels: Readonly<Record<PayoutItemState, { words: PlainKey; colour: TagColor }>> = {
  in_run: { words: 'consolePayouts.item.in_run', colour: 'yellow' },
  sent: { words: 'consolePayouts.item.sent', colour: 'verdigris' },
  confirmed: { words: 'consolePayouts.item.confirmed', colour: 'green' },
  released: { words: 'consolePayouts.item.released', colour: 'quiet' },
}

export const transferLabels: Readonly<Record<PayoutTransferProblem, { words: PlainKey; colour: TagColor }>> =
  {
    unmatched: { words: 'consolePayouts.transfer.unmatched', colour: 'yellow' },
    ambiguous: { words: 'consolePayouts.transfer.ambiguous', colour: 'yellow' },
    cancelled: { words: 'consolePayouts.transfer.cancelled', colour: 'red' },
    gone: { words: 'consolePayouts.transfer.gone', colour: 'red' },
  }

const obstacleLabels: Readonly<Record<PayoutObstacle, PlainKey>> = {
  scheduled: 'consolePayouts.obstacle.scheduled',
  on_hold: 'consolePayouts.obstacle.on_hold',
  in_run: 'consolePayouts.obstacle.in_run',
  sent: 'consolePayouts.obstacle.sent',
  confirmed: 'consolePayouts.obstacle.confirmed',
  cancelled: 'consolePayouts.obstacle.cancelled',
  unknown: 'consolePayouts.obstacle.unknown',
  own: 'consolePayouts.obstacle.own',
  address: 'consolePayouts.obstacle.address',
  too_precise: 'consolePayouts.obstacle.too_precise',
  same_address: 'consolePayouts.obstacle.same_address',
  too_many: 'consolePayouts.obstacle.too_many',
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  names.some((each) => each === name)

/** Why a delivery can't be paid: what holds it, if that is known. */
export function whyUnpayable({ obstacle, hold }: { obstacle: string; hold: string | null }): PlainKey {
  if (hold !== null && isOneOf(holdReasons, hold)) return `consoleDeliveries.hold.${hold}`
  return obstacleLabels[isOneOf(payoutObstacles, obstacle) ? obstacle : 'unknown']
}

export const lineProblemLabels: Readonly<Record<PayoutLineProblem, PlainKey>> = {
  unknown: 'consolePayouts.line.unknown',
  repeated: 'consolePayouts.line.repeated',
  released: 'consolePayouts.line.released',
  confirmed: 'consolePayouts.line.confirmed',
  tx_id: 'consolePayouts.line.tx_id',
  other_run: 'consolePayouts.line.other_run',
  proved: 'consolePayouts.line.proved',
}

/** Endings of the files, by format, for a browser that isn't told the name. */
export const fileEndings: Readonly<Record<PayoutFormat, string>> = {
  csv: 'csv',
  safe: 'json',
  disperse: 'txt',
  psbt: 'json',
}
