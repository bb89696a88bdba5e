import type { ChainState } from '#contract/chain-payments.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { TagColor } from '../../ui/tag.tsx'

export const chainLabels: Readonly<Record<ChainState, PlainKey>> = {
  awaited: 'consoleOrders.chain.awaited',
  seen: 'consoleOrders.chain.seenState',
  confirming: 'consoleOrders.chain.confirming',
  paid: 'consoleOrders.chain.paid',
  too_little: 'consoleOrders.chain.tooLittle',
  too_much: 'consoleOrders.chain.tooMuch',
  late: 'consoleOrders.chain.late',
  reorganised: 'consoleOrders.chain.reorganised',
}

export const chainColors: Readonly<Record<ChainState, TagColor>> = {
  awaited: 'quiet',
  seen: 'yellow',
  confirming: 'yellow',
  paid: 'green',
  too_little: 'red',
  too_much: 'red',
  late: 'red',
  reorganised: 'red',
}
