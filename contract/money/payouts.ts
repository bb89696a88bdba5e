import * as z from 'zod/mini'
import { decimal } from '../platform/decimal.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import {
  day,
  id,
  line,
  requiredLine,
  requiredReason,
  time,
  timeInput,
  waitingFor,
} from '../platform/fields.ts'
import { resource, sortedBy, type FiltersOf } from '../platform/resource.ts'
import { holdReasons } from './deliveries.ts'
import { orderReasonLengthMax, txIdLengthMax } from './orders.ts'

/** Deliveries in one payout run. */
export const payoutItemsMax = 500

/** Days that a payout run waits for its approval. After that, it can only be canceled. */
export const payoutApprovalDays = 3

/**
 * `waiting`: a second officer must approve it. `ready`: it can be exported. `partly_sent`: a transaction is recorded for
 * some of its deliveries. `done`: all of them are confirmed.
 */
export const payoutStates = [
  'waiting',
  'ready',
  'exported',
  'partly_sent',
  'sent',
  'done',
  'cancelled',
] as const
export type PayoutState = (typeof payoutStates)[number]

/** `released`: canceled, so the delivery can be in another run. */
export const payoutItemStates = ['in_run', 'sent', 'confirmed', 'released'] as const
export type PayoutItemState = (typeof payoutItemStates)[number]

/**
 * `safe`: a batch for the Safe Transaction Builder. `disperse`: addresses and amounts only, for tools that pay many
 * addresses at once. `psbt`: the outputs for `walletcreatefundedpsbt` of a Bitcoin-like chain.
 */
export const payoutFormats = ['csv', 'safe', 'disperse', 'psbt'] as const
export type PayoutFormat = (typeof payoutFormats)[number]

/**
 * `new_address`: the member's first order with this address. `changed_recently`: changed within the last 14 days.
 * `shared`: another member uses the address in an order or identity application. `never_proved`: no delivery to this
 * address was confirmed for this member yet.
 */
export const payoutWarnings = ['new_address', 'changed_recently', 'shared', 'never_proved'] as const
export type PayoutWarning = (typeof payoutWarnings)[number]

/**
 * Why a delivery can't be paid. The states are those of the delivery. `own`: the caller's own. `address`: not an address
 * that tokens can be sent to, or no longer the one that was frozen. `too_precise`: the token has fewer decimal places.
 * `same_address`: the chain allows one output per address, and an older delivery has it. `too_many`: the run is full.
 */
export const payoutObstacles = [
  'scheduled',
  'on_hold',
  'in_run',
  'sent',
  'confirmed',
  'cancelled',
  'unknown',
  'own',
  'address',
  'too_precise',
  'same_address',
  'too_many',
] as const
export type PayoutObstacle = (typeof payoutObstacles)[number]

/** A delivery that can't be paid. `hold` is set with `on_hold`. */
const unpayable = z.object({
  deliveryId: id,
  reference: z.string(),
  obstacle: z.enum(payoutObstacles),
  hold: z.nullable(z.enum(holdReasons)),
})
export type UnpayableDelivery = z.infer<typeof unpayable>

/** `restored`: a backup was restored, so that payouts made after it may be unknown. */
export const payoutHoldCauses = ['restored', 'staff'] as const

const person = z.object({ id, name: z.string() })

const payoutHold = z.object({
  cause: z.enum(payoutHoldCauses),
  /** Payouts made after this time may be unknown here. */
  since: time,
  openedBy: z.nullable(person),
  openedAt: time,
  note: z.string(),
  /** The first of two officers who release the hold. */
  firstReleasedBy: z.nullable(person),
  /** What the first officer compared. */
  releaseNote: z.string(),
})
export type PayoutHold = z.infer<typeof payoutHold>

const listed = {
  id,
  number: z.number(),
  state: z.enum(payoutStates),
  /** Number of deliveries, including those released later. */
  items: z.number(),
  /** Tokens in the run as frozen, as decimal text. */
  total: z.string(),
  /** `own` for the project's own chain, otherwise the kind and the network: `ethereum 1`, `bitcoin main`. */
  network: z.string(),
  /** SHA-256 of what was frozen, in hexadecimal. */
  hash: z.string(),
  frozenBy: person,
  frozenAt: time,
  needsTwo: z.boolean(),
  approvedBy: z.nullable(person),
  approvedAt: z.nullable(time),
  firstExportedAt: z.nullable(time),
  /** Deliveries for which a transaction is recorded, confirmed or not. */
  sent: z.number(),
  confirmed: z.number(),
  cancelledAt: z.nullable(time),
  updatedAt: time,
}
const payout = z.object(listed)
export type Payout = z.infer<typeof payout>

const payoutItem = z.object({
  deliveryId: id,
  /** Reference of the delivery, by which transactions are recorded. */
  reference: z.string(),
  tranche: z.number(),
  orderId: id,
  orderReference: z.string(),
  memberId: id,
  memberEmail: z.string(),
  position: z.number(),
  address: z.string(),
  amount: z.string(),
  state: z.enum(payoutItemStates),
  txId: z.string(),
  /** When and by whom its transaction was recorded. */
  sentAt: z.nullable(time),
  sentBy: z.nullable(person),
  /** When and by whom it was confirmed that the network has the transaction. */
  confirmedAt: z.nullable(time),
  confirmedBy: z.nullable(person),
  /** Why an officer assigned its transfer; empty if nobody had to. */
  assignReason: z.string(),
  /** Block with its transfer, if the token's network is read and the network has it. */
  height: z.nullable(z.number()),
  warnings: z.array(z.enum(payoutWarnings)),
})
export type PayoutItem = z.infer<typeof payoutItem>

const payoutDetail = z.object({
  ...listed,
  /** Contract of the token; empty for a chain's own coin. */
  contract: z.string(),
  decimals: z.number(),
  /** Address of the block explorer of the token, without a slash at the end. Null if none is set. */
  explorer: z.nullable(z.string()),
  /** Set if its transfers are read from a node. Then nobody confirms them by hand. */
  watch: z.nullable(
    z.object({
      confirmationsNeeded: z.number(),
      /** The last block of the network; null if no node was asked yet. */
      tipHeight: z.nullable(z.number()),
      /** Everything up to this time is known; null if nothing is. */
      readUntil: z.nullable(time),
      /** Whether the last poll succeeded. */
      isReached: z.boolean(),
    }),
  ),
  /** The formats that its network allows. */
  formats: z.array(z.enum(payoutFormats)),
  list: z.array(payoutItem),
  exports: z.array(
    z.object({ format: z.enum(payoutFormats), by: z.nullable(person), at: time, fileHash: z.string() }),
  ),
  /** Time of its last approval; null if it waits for none. */
  approvableUntil: z.nullable(time),
  /**
   * The first of two approvals to cancel an exported run, or some of its deliveries. It no longer counts once its author
   * has lost the required right, or after three days.
   */
  proposal: z.nullable(
    z.object({
      by: person,
      at: time,
      reason: z.string(),
      /** Null for the whole run. */
      deliveryIds: z.nullable(z.array(id)),
      counts: z.boolean(),
    }),
  ),
  cancelledBy: z.nullable(person),
  cancelReason: z.string(),
  /** Why the caller cannot act on it: it contains a delivery of their own. */
  forbids: z.nullable(z.enum(['own'])),
  /** While there is one, no run is frozen, approved, or exported. */
  hold: z.nullable(payoutHold),
})
export type PayoutDetail = z.infer<typeof payoutDetail>

/** `q` is a number, the beginning of a hash, or a complete transaction ID. */
export const payouts = resource({
  path: 'admin/payouts',
  name: 'payouts',
  about: 'List payout runs, filtered by status, number, hash, or transaction, in the requested order.',
  access: staff('finance', 1),
  auditsAccess: 'payout',
  row: payout,
  filters: {
    q: z.optional(line(128)),
    state: z.optional(z.enum(payoutStates, 'one_of')),
    waitingFor,
    sort: sortedBy('frozen', '-frozen'),
  },
  palette: 'q',
  file: { about: 'Export the list of payout runs as CSV, all pages. Requires step-up authentication.' },
  detail: {
    about:
      'Get one payout run with its deliveries, hash, exports, warnings, and the hold of all payouts, if there is one.',
    output: payoutDetail,
  },
})
export const { list: listPayouts, file: exportPayouts, get: getPayout } = payouts
export type PayoutFilters = FiltersOf<typeof payouts>

const deliveryIds = z.array(id).check(
  z.minLength(1, 'too_few'),
  z.maxLength(payoutItemsMax, 'too_many'),
  z.refine((ids) => new Set(ids).size === ids.length, 'invalid'),
)

/** Selects due deliveries: all of them if it is empty. `from` and `to` are days on which they become due. */
const payoutSelection = z.strictObject({
  q: z.optional(line(254)),
  warning: z.optional(z.enum(payoutWarnings, 'one_of')),
  from: z.optional(day),
  to: z.optional(day),
})

const payoutPreview = z.object({
  deliveryIds: z.array(id),
  count: z.number(),
  addresses: z.number(),
  total: z.string(),
  network: z.string(),
  needsTwo: z.boolean(),
  /** The number of people who can approve the run, without the caller. */
  approvers: z.number(),
  warned: z.array(
    z.object({
      deliveryId: id,
      reference: z.string(),
      orderReference: z.string(),
      address: z.string(),
      amount: z.string(),
      warnings: z.array(z.enum(payoutWarnings)),
    }),
  ),
  leftOut: z.array(unpayable),
  hold: z.nullable(payoutHold),
})
export type PayoutPreview = z.infer<typeof payoutPreview>

export const previewPayout = endpoint('POST', 'admin/payouts/preview', {
  about:
    'Get the total and the warnings of the payout run that the selected deliveries would make, and which deliveries would be left out. Nothing is written.',
  access: staff('finance', 1),
  body: z.strictObject({ deliveryIds: z.optional(deliveryIds), filters: z.optional(payoutSelection) }),
  output: payoutPreview,
})

/** A change of one run, which returns it as changed. Nobody changes a run with a delivery of their own. */
const change = {
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  output: payoutDetail,
} as const

/**
 * `total` is the one of the preview; another one is `mismatch`. If a delivery can't be frozen any more, the response is
 * `conflict` with the reason for each one in `deliveries`, and nothing is frozen.
 */
export const freezePayout = endpoint('POST', 'admin/payouts', {
  about:
    'Freeze due deliveries into a payout run: their addresses and amounts no longer change. Above the four-eyes threshold for orders, a second officer must approve it. With the header `Idempotency-Key`, a repeated request freezes once.',
  access: staff('finance', 2),
  status: 201,
  acceptsIdempotencyKey: true,
  body: z.strictObject({ deliveryIds, total: decimal }),
  output: payoutDetail,
  errors: ['conflict', 'payouts_on_hold', 'wrong_token', 'step_up_required', 'idempotency_conflict'],
})

/** The hash comes from the first officer, not from this API, so that both officers approve the same list. */
export const approvePayout = endpoint('POST', 'admin/payouts/:id/approve', {
  about:
    'Approve a payout run as the second officer, with the hash that the first one sees. Another hash is a `mismatch`.',
  ...change,
  body: z.strictObject({ hash: requiredLine(200) }),
  errors: ['not_found', 'conflict', 'payouts_on_hold', 'step_up_required'],
})

/**
 * The header `X-Payout-Hash` and the file name have the hash of the run. Each format returns the same bytes every time.
 * After the first export, only two officers can cancel the run. The first export is a `conflict` if something has changed
 * for a delivery since the freeze, with the reason for each one in `deliveries`, if an officer who froze or approved the
 * run has lost the right, or if the token's network has other settings by now. Once everything was sent, there are no
 * files any more.
 */
export const exportPayoutFile = endpoint('GET', 'admin/payouts/:id/export/:format', {
  about:
    'Get the file of a payout run for the wallet, as CSV, Safe Transaction Builder batch, Disperse list, or Bitcoin outputs. Requires step-up authentication.',
  access: staff('finance', 2),
  inMaintenance: 'refused',
  params: z.strictObject({ id, format: z.enum(payoutFormats, 'one_of') }),
  output: z.unknown(),
  returnsBytes: true,
  errors: ['not_found', 'conflict', 'payouts_on_hold', 'step_up_required'],
})

/**
 * Why nothing was recorded for a line. `unknown`: no delivery of this run has the reference. `repeated`: an earlier line
 * has it. `released`: the delivery was canceled from the run. `other_run`: the transaction paid deliveries of another run.
 * `proved`: the network shows that another transaction paid it.
 */
export const payoutLineProblems = [
  'unknown',
  'repeated',
  'released',
  'confirmed',
  'tx_id',
  'other_run',
  'proved',
] as const
export type PayoutLineProblem = (typeof payoutLineProblems)[number]

export const recordPayoutTransactions = endpoint('POST', 'admin/payouts/:id/transactions', {
  about:
    'Record the transactions that paid the deliveries of an exported payout run, by the references of the deliveries. A transaction can pay several deliveries of one run. It can be replaced until the delivery is confirmed.',
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({
    lines: z
      .array(z.strictObject({ reference: requiredLine(40), txId: requiredLine(txIdLengthMax) }))
      .check(z.minLength(1, 'too_few'), z.maxLength(payoutItemsMax, 'too_many')),
  }),
  output: z.object({
    lines: z.array(
      z.object({
        reference: z.string(),
        txId: z.string(),
        isDone: z.boolean(),
        problem: z.nullable(z.enum(payoutLineProblems)),
      }),
    ),
  }),
  errors: ['not_found', 'conflict'],
})
export type RecordedTransactions = z.infer<typeof recordPayoutTransactions.output>

export const confirmPayoutItems = endpoint('POST', 'admin/payouts/:id/confirm', {
  about:
    'Confirm that the network has the recorded transactions of deliveries. It can’t be undone, and the members are notified.',
  ...change,
  body: z.strictObject({ deliveryIds }),
  errors: ['not_found', 'conflict', 'step_up_required'],
})

/**
 * Before the first export, one officer cancels the run, but not while payouts are on hold: a restored database doesn't
 * know whether the run was exported later. After the first export, the first call is a proposal, and a second officer
 * confirms it by the same call. The reason of the second call is ignored. Where the network is read, it must have been
 * read since (`network_unread` otherwise), and show no transfer that may have paid a delivery (`transfer_seen`).
 */
export const cancelPayout = endpoint('POST', 'admin/payouts/:id/cancel', {
  about:
    'Cancel a payout run, or some of its deliveries after the export, because nothing was sent. After the export, it takes two officers. The deliveries can then be frozen again.',
  ...change,
  body: z.strictObject({
    reason: requiredReason(orderReasonLengthMax),
    deliveryIds: z.optional(deliveryIds),
  }),
  errors: ['not_found', 'conflict', 'payouts_on_hold', 'network_unread', 'transfer_seen', 'step_up_required'],
})

const holdState = z.object({ hold: z.nullable(payoutHold) })

export const getPayoutHold = endpoint('GET', 'admin/payouts/hold', {
  about: 'Get the hold of all payouts, or null if there is none.',
  access: staff('finance', 1),
  output: holdState,
})

/** If there is a hold already, it takes the earlier time, and a first release no longer counts. */
export const holdPayouts = endpoint('POST', 'admin/payouts/hold', {
  about:
    'Put all payouts on hold: nothing is frozen, approved, or exported until two officers release the hold. `since` is the time after which payouts may be unknown here.',
  access: staff('finance', 2),
  body: z.strictObject({ since: timeInput, note: requiredReason(orderReasonLengthMax) }),
  output: holdState,
  errors: ['step_up_required'],
})

/** The first call is a proposal; a second officer releases the hold by the same call. The first note is kept. */
export const resumePayouts = endpoint('POST', 'admin/payouts/hold/release', {
  about:
    'Release the hold of all payouts after comparing the wallet with the list of payout runs. It takes two officers.',
  access: staff('finance', 2),
  body: z.strictObject({ note: requiredReason(orderReasonLengthMax) }),
  output: holdState,
  errors: ['conflict', 'step_up_required'],
})
