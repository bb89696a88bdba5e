import type { MemberHome, OpenOrder } from '#contract/money/member-home.ts'

/** A member's steps, in the order in which members take them. */
export const homeSteps = ['email', 'identity', 'factor', 'order', 'address'] as const
export type HomeStep = (typeof homeSteps)[number]

/**
 * `open`: the member can take the step now. `waiting`: it waits for our team. `later`: it requires an earlier step.
 * `closed`: it isn't available at the moment.
 */
export type StepState = 'done' | 'open' | 'waiting' | 'later' | 'closed'

/** What the member should do next: pay, enter a refund address, or take a step. */
export type NextAction =
  | { kind: 'pay'; orderId: string }
  | { kind: 'refund'; orderId: string }
  | { kind: 'step'; step: HomeStep }

export type HomeView = {
  steps: Readonly<Record<HomeStep, StepState>>
  next: NextAction | null
  /** `checklist`: steps are left. `settled`: all available steps are done. `none`: the member sees no steps. */
  shows: 'checklist' | 'settled' | 'none'
}

/** The first open step in this order is next. An address comes early, because paid tokens can't be sent without one. */
const byUrgency: readonly HomeStep[] = ['email', 'identity', 'address', 'factor', 'order']

/** Whether the order is waiting for a payment from the member. */
export const isToBePaid = ({ state }: OpenOrder): boolean =>
  state === 'pay' || state === 'rest' || state === 'dropped'

/** Derives what the page shows. Staff sign in to work, so they get no steps toward an order. */
export function viewOf(home: MemberHome, { isStaff }: { isStaff: boolean }): HomeView {
  const steps = stepsOf(home)
  const hasSteps = !isStaff && !home.identity.isFinal
  const step = hasSteps ? byUrgency.find((each) => steps[each] === 'open') : undefined
  return {
    steps,
    next: findPayment(home) ?? findRefund(home) ?? (step ? { kind: 'step', step } : null),
    shows: hasSteps ? (isSettled(steps) ? 'settled' : 'checklist') : 'none',
  }
}

function findPayment({ openOrders }: MemberHome): NextAction | null {
  const order = openOrders.find(isToBePaid)
  return order ? { kind: 'pay', orderId: order.id } : null
}

function findRefund({ openWithdrawals }: MemberHome): NextAction | null {
  const withdrawal = openWithdrawals.find(({ isAddressMissing }) => isAddressMissing)
  return withdrawal ? { kind: 'refund', orderId: withdrawal.orderId } : null
}

function stepsOf(home: MemberHome): Record<HomeStep, StepState> {
  const identity = identityState(home)
  return {
    email: home.email === 'confirmed' ? 'done' : 'open',
    identity,
    factor: home.hasSecondFactor ? 'done' : 'open',
    order: orderState(home, identity),
    address: addressState(home),
  }
}

function identityState({ email, identity: { status, isFinal } }: MemberHome): StepState {
  if (isFinal) return 'closed'
  if (status === 'approved') return 'done'
  if (status === 'submitted' || status === 'in_review') return 'waiting'
  return status === 'none' && email !== 'confirmed' ? 'later' : 'open'
}

function orderState({ hasOrder, sale }: MemberHome, identity: StepState): StepState {
  if (hasOrder) return 'done'
  if (!sale.isOpen) return 'closed'
  return identity === 'done' ? 'open' : 'later'
}

const addressState = ({ hasOrder, orderWithoutAddress }: MemberHome): StepState => {
  if (orderWithoutAddress !== null) return 'open'
  return hasOrder ? 'done' : 'later'
}

/** While the sale is closed, only the first three steps are available. */
const isSettled = (steps: Record<HomeStep, StepState>): boolean =>
  homeSteps.every((step) => steps[step] === 'done') ||
  (steps.order === 'closed' && [steps.email, steps.identity, steps.factor].every((state) => state === 'done'))
