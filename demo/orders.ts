import { randomUUID } from 'node:crypto'
import sampleSale from '#content/samples/sale.json' with { type: 'json' }
import type { AuditAction } from '#contract/platform/audit-actions.ts'
import { multiplyDown, parseDecimal, tokenPlaces, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { bonusFor } from '#contract/money/round-bonus.ts'
import type { PayChain } from '#contract/money/sale.ts'
import type { Config } from '#api/platform/config/config.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { insertWithdrawnAddress } from '#api/money/sale/withdrawn-address.queries.ts'
import { insertWithdrawnPrice } from '#api/money/sale/withdrawn-price.queries.ts'
import type { OrderMail } from '#api/money/orders/notify-owner.ts'
import { transactionKey } from '#api/money/orders/payment.rules.ts'
import type { WithdrawalMail } from '#api/money/orders/withdrawals/notify-about-withdrawal.ts'
import { roundAt, type SampleRound } from './rounds.ts'
import { sampleRateAt } from './sale-changes.ts'
import { sampleTokenAddress } from './addresses.ts'
import { sampleHash, type SamplePerson, type SampleWorld } from './world.ts'
import {
  insertSampleOrderRows,
  type SampleOrderRow,
  type SampleOrderStep as StepRow,
  type SampleQuote,
} from './order-rows.ts'
import { sampleOrderStories } from './order-stories.ts'
import type { SampleOrderStep, SampleOrderStory } from './order-story.ts'
import { sampleWithdrawalOf, sampleWithdrawalStories } from './withdrawals.ts'
import { insertSampleDeliveries } from './deliveries.ts'
import { insertSamplePayouts } from './payouts.ts'
import { insertSampleLines } from './statement-lines.ts'

/** Amounts that people pay, mostly small ones. */
const amounts: Readonly<Record<string, readonly string[]>> = {
  BTC: ['0.004', '0.01', '0.0125', '0.02', '0.025', '0.03', '0.05', '0.05', '0.075', '0.1', '0.15', '0.25'],
  ETH: ['0.1', '0.25', '0.5', '0.75', '1', '1', '1.5', '2', '2.4', '3', '5', '8'],
  bank: ['500', '1000', '2500', '7500'],
}
const large: Readonly<Record<string, readonly string[]>> = { BTC: ['0.6', '0.75'], ETH: ['16', '22'] }
/** Tokens per dollar for bank transfers. */
const bankRate = '1.2'

type Sample = { id: string; person: SamplePerson; story: SampleOrderStory; at: number; row: SampleOrderRow }

export async function insertSampleOrders(db: Tx, world: SampleWorld, config: Config): Promise<void> {
  const orders = [...sampleOrderStories, ...sampleWithdrawalStories].flatMap((story) =>
    Array.from({ length: story.count }, (_, index) => makeOrder(world, story, index, config)),
  )
  for (const order of orders) nameTransactions(order, orders)
  const steps = orders.flatMap((order) => stepsOf(world, order, orders))
  for (const order of orders) noteOrder(world, order)
  await insertSampleOrderRows(db, {
    rows: orders.map(({ row }) => row),
    steps,
    quotes: quotesOf(world, orders),
    withdrawals: orders.flatMap((order) => sampleWithdrawalOf(order, world.operators)),
  })
  await insertSamplePayouts(db, world, config, await insertSampleDeliveries(db, orders))
  await insertSampleWithdrawnPrice(db, orders)
  await insertSampleWithdrawnAddress(db, orders)
  const { row } = orders.find(({ row, story }) => row.status === 'completed' && story.isByBank)!
  await insertSampleLines(db, world, {
    id: row.id,
    amount: String(row.amount),
    currency: String(row.currency),
  })
}

/** One of the pending orders was placed at a price that was withdrawn soon afterwards. */
async function insertSampleWithdrawnPrice(db: Tx, orders: readonly Sample[]): Promise<void> {
  const { row, at } = orders.find(({ row, story }) => row.status === 'pending' && !story.isByBank)!
  await insertWithdrawnPrice(db, {
    payMethod: row.pay_method!,
    rate: String(row.base_rate ?? row.rate),
    from: new Date(at - MINUTE),
    until: new Date(at + MINUTE),
    isProvisional: false,
  })
}

/** Another one was placed at a receiving address that was set back soon afterwards. */
async function insertSampleWithdrawnAddress(db: Tx, orders: readonly Sample[]): Promise<void> {
  const { row, at } = orders.findLast(({ row, story }) => row.status === 'pending' && !story.isByBank)!
  await insertWithdrawnAddress(db, {
    address: row.receiving_address!,
    from: new Date(at - MINUTE),
    until: new Date(at + MINUTE),
  })
}

function makeOrder(world: SampleWorld, story: SampleOrderStory, index: number, config: Config): Sample {
  const at = placedAt(world, story, index)
  const person = buyerAt(world, at, story)
  const id = randomUUID()
  // What finance enters belongs to no round.
  const round = story.isByBank ? undefined : roundAt(world.rounds, at)
  const terms = termsOf(world, story, { at, round })
  const reported = story.steps.find(isReport)
  const has = (flag: SampleFlag) => story.flags?.includes(flag) ?? false
  return {
    id,
    person,
    story,
    at,
    row: {
      id,
      member_id: person.id,
      email: person.email,
      fab_address: story.hasNoTokenAddress ? '' : sampleTokenAddress(`tokens of ${person.n}`),
      address_usable_from: usableFrom(story, at, config),
      ...terms,
      ...planOf(round),
      status: story.status,
      assignee_id: index === 0 && story.status === 'pending' ? world.operators.finance2 : null,
      created_at: new Date(at),
      updated_at: new Date(at + (story.steps.at(-1)?.after ?? 0)),
      pay_before:
        story.isByBank && story.deadline === undefined
          ? null
          : new Date(at + (story.deadline ?? config.orderPayTime)),
      reported_at: reported ? new Date(at + reported.after) : null,
      is_disputed: has('disputed'),
      is_reported_late: has('late'),
      is_tx_shared: has('shared'),
      ...paymentOf(story, at, terms.amount),
      ...(has('proposed') && proposalOf(world, story, at, person)),
    },
  }
}

/** Nothing is sent to a changed address for some time. */
function usableFrom({ steps }: SampleOrderStory, at: number, { deliveryCoolingTime }: Config): Date | null {
  const changed = steps.findLast(({ kind }) => kind === 'address_changed' || kind === 'corrected')
  return changed ? new Date(at + changed.after + deliveryCoolingTime) : null
}

type SampleFlag = NonNullable<SampleOrderStory['flags']>[number]

function placedAt({ dice, now }: SampleWorld, story: SampleOrderStory, index: number): number {
  const [from, to] = story.daysAgo
  // Spread evenly, with a small random offset.
  const part = story.count === 1 ? 0 : (index + dice.next() * 0.7) / story.count
  // Two orders that name the same transaction keep their distance.
  const wait = story.flags?.includes('disputed') ? 0 : dice.between(0, 2800)
  return Math.round(now - (from + (to - from) * part) * DAY) - wait * SECOND
}

/** What is paid, and for how many tokens. */
type Placed = { at: number; round: SampleRound | undefined }

function termsOf({ dice, now }: SampleWorld, story: SampleOrderStory, { at, round }: Placed) {
  const method = sampleSale.payMethods[dice.isLucky(0.55) ? 0 : 1]!
  const amount = dice.oneOf((story.isLarge ? large : amounts)[story.isByBank ? 'bank' : method.code] ?? ['1'])
  if (story.isByBank)
    return {
      pay_method: 'Bank transfer',
      currency: 'USD',
      amount,
      rate: null,
      fab_qty: product(amount, bankRate, tokenPlaces),
      pay_chain: null,
      receiving_address: '',
    }
  const rate = sampleRateAt(now, at, method.rate)
  return {
    pay_method: method.code,
    currency: method.code,
    amount,
    ...priceIn(round, amount, rate),
    pay_chain: method.chain as PayChain,
    receiving_address: method.receivingAddress,
  }
}

/** The price of a round, with its bonus. */
function priceIn(round: SampleRound | undefined, amount: string, rate: string) {
  const bought = bonusFor(parseDecimal(amount), parseDecimal(rate), round?.bonus ?? [])
  return {
    rate: writeDecimal(bought.rate),
    base_rate: round ? rate : null,
    bonus_percent: bought.percent,
    fab_qty: writeDecimal(bought.tokens),
  }
}

const planOf = (round: SampleRound | undefined) => ({
  round_id: round?.id ?? null,
  vesting: round ? JSON.stringify(round.vesting) : null,
})

function paymentOf(story: SampleOrderStory, at: number, amount: string) {
  const recorded = story.steps.find(({ kind }) => kind === 'payment_recorded')
  return (
    recorded && {
      paid_amount: product(amount, story.paid ?? '1', 18),
      paid_at: new Date(at + recorded.after - HOUR),
    }
  )
}

function proposalOf(world: SampleWorld, story: SampleOrderStory, at: number, person: SamplePerson) {
  const proposed = story.steps.findLast(
    ({ kind }) => kind === 'completion_proposed' || kind === 'correction_proposed',
  )
  return (
    proposed && {
      completion_proposed_by: world.operators.finance2,
      completion_proposed_at: new Date(at + proposed.after),
      completion_reason: proposed.reason ?? '',
      ...(proposed.kind === 'correction_proposed' && {
        proposed_correction: JSON.stringify({ fabAddress: otherTokenAddress(person) }),
      }),
    }
  )
}

const otherTokenAddress = ({ n }: SamplePerson): string => sampleTokenAddress(`other tokens of ${n}`)

/** Returns the changes of a sample correction, proposal, or new address, which concern the token address. */
function changesOf({ kind }: SampleOrderStep, { person, row, story }: Sample): string {
  const other = otherTokenAddress(person)
  const isApplied = story.steps.some((step) => ['corrected', 'address_changed'].includes(step.kind))
  const [before, after] = isApplied ? [other, row.fab_address] : [row.fab_address, other]
  const isShown = ['corrected', 'correction_proposed', 'address_changed'].includes(kind)
  return JSON.stringify(isShown ? [{ field: 'fabAddress', before, after }] : [])
}

const isReport = ({ kind }: SampleOrderStep): boolean =>
  ['payment_reported', 'reported_late', 'disputed', 'transaction_shared'].includes(kind)

const product = (a: string, b: string, places: number): string =>
  writeDecimal(multiplyDown(parseDecimal(a), parseDecimal(b), places))

/** Finds a buyer whose identity was approved by then. */
function buyerAt({ dice, people }: SampleWorld, at: number, story: SampleOrderStory): SamplePerson {
  // The approval of the first applicant has expired.
  if (story.isIdentityExpired) return people[0]!
  const buyers = people.filter(
    ({ part, approvedAt }) => part === 'buyer' && approvedAt !== null && approvedAt < at,
  )
  return dice.oneOf(buyers.length > 0 ? buyers : people.filter(({ part }) => part === 'buyer'))
}

/** The order ends up with the transaction that was named last. */
function nameTransactions(order: Sample, orders: readonly Sample[]): void {
  const named = order.story.steps.findLast(({ kind, names }) => names !== undefined && kind !== 'disputed')
  if (!named) return
  order.row.tx_id = transactionOf(order, named, orders)
  order.row.tx_key = transactionKey(order.row.tx_id)
}

function transactionOf(order: Sample, { names }: SampleOrderStep, orders: readonly Sample[]): string {
  const owner = names === 'others' ? orders.find(({ story }) => story.name === order.story.with)! : order
  const place = orders.indexOf(owner)
  const hash = sampleHash(`${names === 'second' ? 'second ' : ''}sample transaction ${place}`)
  return owner.row.pay_chain === 'ethereum' ? `0x${hash}` : hash
}

function stepsOf(world: SampleWorld, order: Sample, orders: readonly Sample[]): StepRow[] {
  return order.story.steps.map((step) => {
    const txId = step.names === undefined ? '' : transactionOf(order, step, orders)
    return {
      order_id: order.id,
      kind: step.kind,
      at: new Date(order.at + step.after),
      by_member_id: actorOf(world, order, step, orders),
      reason: step.reason ?? '',
      tx_id: txId,
      tx_key: transactionKey(txId),
      changes: changesOf(step, order),
    }
  })
}

function actorOf(
  { operators }: SampleWorld,
  { person, story }: Sample,
  { by }: SampleOrderStep,
  orders: readonly Sample[],
): string | null {
  if (by === null) return null
  if (by === 'member') return person.id
  if (by === 'other') return orders.find((other) => other.story.with === story.name)?.person.id ?? null
  return operators[by]
}

const audited: Partial<Record<SampleOrderStep['kind'], AuditAction>> = {
  payment_reported: 'order-payment-reported',
  payment_dropped: 'order-payment-dropped',
  reported_late: 'order-reported-late',
  disputed: 'order-transaction-refused',
  address_given: 'order-address-given',
  address_changed: 'order-address-changed',
  deadline_extended: 'order-deadline-extended',
  withdrawn: 'order-withdrawn',
  unpaid: 'order-unpaid',
  completion_proposed: 'order-completion-proposed',
  correction_proposed: 'order-correction-proposed',
  completion_declined: 'order-completion-declined',
  completion_lapsed: 'order-completion-lapsed',
  line_dismissed: 'order-statement-line-dismissed',
  line_reopened: 'order-statement-line-reopened',
  withdrawal_requested: 'withdrawal-requested',
  refund_opened: 'refund-opened',
  withdrawal_accepted: 'withdrawal-accepted',
  withdrawal_refused: 'withdrawal-refused',
  withdrawal_closed: 'withdrawal-closed',
  withdrawal_proposed: 'withdrawal-proposed',
  refunded: 'withdrawal-refunded',
  deliveries_created: 'deliveries-created',
  delivery_held: 'delivery-held',
  delivery_released: 'delivery-released',
}

const changed: Partial<Record<SampleOrderStep['kind'], string[]>> = {
  payment_recorded: ['paidAmount', 'paidAt'],
  completed: ['status'],
  cancelled: ['status'],
  corrected: ['fabAddress'],
  payable: ['receivingAddress'],
  transaction_shared: ['sharesTransaction', 'txId'],
}

const mailed: Partial<
  Record<SampleOrderStep['kind'], OrderMail | WithdrawalMail | 'order-delivery-address-changed'>
> = {
  payment_reported: 'order-payment-reported',
  completed: 'order-completed',
  cancelled: 'order-cancelled',
  unpaid: 'order-unpaid',
  payment_dropped: 'order-payment-dropped',
  withdrawn: 'order-withdrawn',
  reported_late: 'order-reported-late',
  disputed: 'order-disputed',
  address_given: 'order-address-given',
  address_changed: 'order-delivery-address-changed',
  corrected: 'order-corrected',
  deadline_extended: 'order-deadline-extended',
  payable: 'order-payable',
  withdrawal_requested: 'order-withdrawal-received',
  refund_opened: 'order-refund-opened',
  withdrawal_accepted: 'order-withdrawal-accepted',
  withdrawal_refused: 'order-withdrawal-refused',
  withdrawal_closed: 'order-withdrawal-closed',
  refunded: 'order-refunded',
}

function noteOrder(world: SampleWorld, order: Sample): void {
  const { person, story, at, id } = order
  const note = (when: number, actorId: string | null, action: AuditAction, detail = {}) =>
    world.audit.push({ at: when, actorId, action, subjectKind: 'order', subjectId: id, detail })
  const isEntered = story.steps.some(({ kind }) => kind === 'entered')
  note(at, isEntered ? world.operators.finance2 : person.id, 'order-created')
  world.mails.push({ at, to: person, kind: 'order-placed', orderId: id })
  for (const step of story.steps) {
    // The other order records this step.
    if (step.by === 'other') continue
    const actor = actorOf(world, order, step, [])
    const action = audited[step.kind]
    if (action) note(at + step.after, actor, action)
    const fields = changed[step.kind]
    const status = statusAfter(story, step)
    if (fields) note(at + step.after, actor, 'order-updated', { status, fields })
    const asksForAddress = step.kind === 'completed' && story.hasNoTokenAddress
    const kind = asksForAddress ? 'order-delivery-address-needed' : mailed[step.kind]
    if (kind) world.mails.push({ at: at + step.after, to: person, kind, orderId: id })
  }
}

const statusAfter = ({ steps }: SampleOrderStory, { after }: SampleOrderStep): string =>
  steps.find((step) => ['completed', 'cancelled'].includes(step.kind) && step.after <= after)?.kind ??
  'pending'

/** Quotes of recent orders, and of some members who requested one without ordering. */
function quotesOf({ now, people, rounds }: SampleWorld, orders: readonly Sample[]): SampleQuote[] {
  const life = sampleSale.quoteMinutes * MINUTE
  const used = orders.filter(({ at, story }) => !story.isByBank && at > now - DAY)
  const quoted = (memberId: string, at: number, row: Pick<SampleOrderRow, 'pay_method' | 'currency'>) => ({
    member_id: memberId,
    pay_method: row.pay_method!,
    currency: row.currency ?? null,
    created_at: new Date(at),
    expires_at: new Date(at + life),
  })
  const open = people.filter(({ part, approvedAt }) => part === 'buyer' && approvedAt !== null).slice(0, 3)
  const method = sampleSale.payMethods[0]!
  const round = roundAt(rounds, now)
  const amount = '0.05'
  return [
    ...used.map(({ person, at, row }) => ({
      ...quoted(person.id, at - 2 * MINUTE, row),
      amount: row.amount!,
      rate: row.rate!,
      base_rate: row.base_rate ?? null,
      bonus_percent: row.bonus_percent ?? '0',
      fab_qty: row.fab_qty!,
      round_id: row.round_id ?? null,
      vesting: row.vesting ?? null,
      used_at: new Date(at),
    })),
    ...open.map(({ id }, index) => ({
      ...quoted(id, now - index * 4 * HOUR, { pay_method: method.code, currency: method.code }),
      amount,
      ...priceIn(round, amount, method.rate),
      ...planOf(round),
    })),
  ]
}
