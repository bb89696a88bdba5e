import type { ConsoleStepKind, OrderFlag } from '#contract/console-orders.ts'
import type { PlainKey } from '../../i18n/message-key.ts'

export const flagWords: Readonly<Record<OrderFlag, PlainKey>> = {
  payment_reported: 'consoleOrders.flag.paymentReported',
  reported_late: 'consoleOrders.flag.reportedLate',
  disputed: 'consoleOrders.flag.disputed',
  shares_transaction: 'consoleOrders.flag.sharesTransaction',
  second_person: 'consoleOrders.flag.secondPerson',
  waits_long: 'consoleOrders.flag.waitsLong',
  not_payable: 'consoleOrders.flag.notPayable',
  ready_to_complete: 'consoleOrders.flag.readyToComplete',
  payment_gone: 'consoleOrders.flag.paymentGone',
  payment_unexpected: 'consoleOrders.flag.paymentUnexpected',
}

export const stepWords: Readonly<Record<ConsoleStepKind, PlainKey>> = {
  placed: 'consoleOrders.step.placed',
  payment_reported: 'consoleOrders.step.paymentReported',
  payment_dropped: 'consoleOrders.step.paymentDropped',
  completed: 'consoleOrders.step.completed',
  cancelled: 'consoleOrders.step.cancelled',
  entered: 'consoleOrders.step.entered',
  reported_late: 'consoleOrders.step.reportedLate',
  unpaid: 'consoleOrders.step.unpaid',
  withdrawn: 'consoleOrders.step.withdrawn',
  address_given: 'consoleOrders.step.addressGiven',
  corrected: 'consoleOrders.step.corrected',
  transaction_shared: 'consoleOrders.step.transactionShared',
  disputed: 'consoleOrders.step.disputed',
  deadline_extended: 'consoleOrders.step.deadlineExtended',
  payable: 'consoleOrders.step.payable',
  payment_recorded: 'consoleOrders.step.paymentRecorded',
  completion_proposed: 'consoleOrders.step.completionProposed',
  completion_declined: 'consoleOrders.step.completionDeclined',
  completion_lapsed: 'consoleOrders.step.completionLapsed',
  transaction_taken: 'consoleOrders.step.transactionTaken',
  withdrawal_requested: 'consoleOrders.step.withdrawalRequested',
  withdrawal_accepted: 'consoleOrders.step.withdrawalAccepted',
  withdrawal_refused: 'consoleOrders.step.withdrawalRefused',
  withdrawal_closed: 'consoleOrders.step.withdrawalClosed',
  refunded: 'consoleOrders.step.refunded',
  withdrawal_proposed: 'consoleOrders.step.withdrawalProposed',
}
