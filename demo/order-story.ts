import type { ConsoleStepKind } from '#contract/money/console-orders.ts'
import type { OrderState } from '#contract/money/orders.ts'
import type { WithdrawalState } from '#contract/money/withdrawals.ts'

export type SampleOrderStep = {
  kind: Exclude<ConsoleStepKind, 'placed'>
  /** Time after the order was placed. */
  after: number
  by: 'member' | 'finance2' | 'admin' | 'other' | null
  reason?: string
  /** The transaction named in this step: the order's own, a second one of its own, or that of the order in `with`. */
  names?: 'own' | 'second' | 'others'
}

export type SampleOrderStory = {
  name: string
  /** The number of such orders, and the range of days ago on which they were placed. */
  count: number
  daysAgo: readonly [number, number]
  status: OrderState
  steps: readonly SampleOrderStep[]
  /** Entered by finance and paid by bank transfer. */
  isByBank?: true
  /** The received amount as a fraction of the amount due. */
  paid?: string
  flags?: readonly ('disputed' | 'late' | 'shared' | 'proposed')[]
  /** The name of the story of the other order, to which the transaction belongs. */
  with?: string
  /** The deadline as a time after the order was placed, if finance has moved it. */
  deadline?: number
  isLarge?: true
  /** Set if the member has withdrawn from the order. */
  withdrawal?: WithdrawalState
  /** The member's approval has expired since. */
  isIdentityExpired?: true
  hasNoTokenAddress?: true
  /**
   * What becomes of the tokens if they don't wait for the next payout run. `none`: they were sent before deliveries were
   * recorded. `open`: in no run. `withdrawable`: not due, because the member can still withdraw. `refunded`: canceled
   * after the refund. `frozen`: in a run when the order was refunded. `second`: in the run that needs a second approval.
   */
  delivery?: 'none' | 'open' | 'withdrawable' | 'refunded' | 'frozen' | 'second'
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
