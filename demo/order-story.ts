import type { ConsoleStepKind } from '#contract/console-orders.ts'
import type { OrderState } from '#contract/orders.ts'
import type { WithdrawalState } from '#contract/withdrawals.ts'

export type SampleOrderStep = {
  kind: Exclude<ConsoleStepKind, 'placed'>
  /** After the order was placed. */
  after: number
  by: 'member' | 'finance2' | 'admin' | 'other' | null
  reason?: string
  /** Which transaction is named: its own, another one of its own, or that of the order `with`. */
  names?: 'own' | 'second' | 'others'
}

export type SampleOrderStory = {
  name: string
  /** How many there are of it, and how many days ago they were placed, from and to. */
  count: number
  daysAgo: readonly [number, number]
  status: OrderState
  steps: readonly SampleOrderStep[]
  /** Entered by finance and paid by bank. */
  isByBank?: true
  /** What was received, as a share of what was due. */
  paid?: string
  flags?: readonly ('disputed' | 'late' | 'shared' | 'proposed')[]
  /** The story that the other order is of, to which its transaction belongs. */
  with?: string
  /** The deadline, after it was placed, where finance has moved it. */
  deadline?: number
  isLarge?: true
  /** Its member has withdrawn from it. */
  withdrawal?: WithdrawalState
}

export const reported = (after: number): SampleOrderStep => ({
  kind: 'payment_reported',
  after,
  by: 'member',
  names: 'own',
})
export const recorded = (after: number): SampleOrderStep => ({
  kind: 'payment_recorded',
  after,
  by: 'finance2',
})
