import type { ConsoleOrderDetail, OrderFlag } from '#contract/console-orders.ts'

export const flagsOfDetail = ({ order, proposal }: ConsoleOrderDetail): OrderFlag[] => [
  ...(proposal ? (['second_person'] as const) : []),
  ...(order.disputed ? (['disputed'] as const) : []),
  ...(order.reportedLate ? (['reported_late'] as const) : []),
  ...(order.sharesTransaction ? (['shares_transaction'] as const) : []),
  ...(order.status === 'pending' && order.txId !== '' ? (['payment_reported'] as const) : []),
]
