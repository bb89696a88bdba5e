import { randomUUID } from 'node:crypto'
import { automaticOrderThreshold } from '#contract/people/four-eyes.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { PayoutState } from '#contract/money/payouts.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import type { Config } from '#api/platform/config/config.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { listFrozenItems, setHash } from '#api/money/payouts/payout.queries.ts'
import { fileFormats, formatsOf, type RunToExport } from '#api/money/payouts/run-files.rules.ts'
import { hashOf, textOfRun } from '#api/money/payouts/run-hash.rules.ts'
import type { SampleDelivery } from './deliveries.ts'
import { sampleHash, type OperatorName, type SampleWorld } from './world.ts'

type SampleRun = {
  state: PayoutState
  /** When it was frozen. */
  ago: number
  /** The number of deliveries that it takes of those that were ready by then, the oldest first. */
  takes: number
  /** It also takes those with this story. */
  with?: SampleDelivery['story']
  /** Why it was canceled, or why finance proposes to cancel the deliveries of `with`. */
  reason?: string
}

/** Runs in every state, the first one is the oldest. */
const sampleRuns: readonly SampleRun[] = [
  { state: 'done', ago: 21 * DAY, takes: 5 },
  { state: 'done', ago: 14 * DAY, takes: 4 },
  {
    state: 'cancelled',
    ago: 9 * DAY,
    takes: 2,
    with: 'refunded',
    reason: 'Sample: a member of this run withdraws from the order.',
  },
  {
    state: 'exported',
    ago: 8.8 * DAY,
    takes: 1,
    with: 'frozen',
    reason: 'Sample: the order was refunded, and nothing was sent.',
  },
  { state: 'partly_sent', ago: 6 * DAY, takes: 3 },
  { state: 'sent', ago: 4 * DAY, takes: 2 },
  { state: 'ready', ago: 1.5 * DAY, takes: 1 },
  { state: 'waiting', ago: 20 * HOUR, takes: 0, with: 'second' },
]

const approvedAfter = 2 * HOUR
const exportedAfter = 3 * HOUR
const sentAfter = 5 * HOUR
const confirmedAfter = 6 * HOUR
const cancelledAfter = 26 * HOUR
const proposedAgo = 19 * HOUR

const exportedStates: readonly PayoutState[] = ['exported', 'partly_sent', 'sent', 'done']

type PayoutConfig = Pick<Config, 'token'>
type Frozen = { id: string; number: number; at: number; run: SampleRun; items: readonly SampleDelivery[] }

/** Inserts payout runs that take deliveries, and records what officers did with them. */
export async function insertSamplePayouts(
  db: Tx,
  world: SampleWorld,
  config: PayoutConfig,
  deliveries: readonly SampleDelivery[],
): Promise<void> {
  const taken = new Set<SampleDelivery>()
  for (const run of sampleRuns) {
    const at = world.now - run.ago
    const items = choose(run, at, deliveries, taken)
    if (run.state !== 'cancelled') for (const item of items) taken.add(item)
    const total = writeDecimal(items.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n))
    const isLarge = parseDecimal(total) >= parseDecimal(automaticOrderThreshold)
    await insertSampleRun(db, world, config, {
      run,
      at,
      items,
      total,
      needsTwo: isLarge || run.state === 'waiting',
    })
  }
}

/** Each address is paid once in a run, because some networks allow no more. */
function choose(
  run: SampleRun,
  at: number,
  deliveries: readonly SampleDelivery[],
  taken: ReadonlySet<SampleDelivery>,
): SampleDelivery[] {
  const named = deliveries.filter(
    ({ story, dueAt }) => story !== undefined && story === run.with && dueAt < at,
  )
  const addresses = new Set(named.map(({ address }) => address))
  const ready = deliveries
    .filter((each) => each.story === undefined && each.readyAt < at && !taken.has(each))
    .toSorted((a, b) => a.readyAt - b.readyAt)
    .filter(({ address }) => !addresses.has(address) && addresses.add(address))
  return [...named, ...ready.slice(0, run.takes)].toSorted((a, b) => a.readyAt - b.readyAt)
}

type NewRun = {
  run: SampleRun
  at: number
  items: readonly SampleDelivery[]
  total: string
  needsTwo: boolean
}

async function insertSampleRun(
  db: Tx,
  world: SampleWorld,
  { token }: PayoutConfig,
  { run, at, items, total, needsTwo }: NewRun,
): Promise<void> {
  const { finance2, admin } = world.operators
  const isExported = exportedStates.includes(run.state)
  const isApproved = needsTwo && (isExported || run.state === 'ready')
  const { network, contract, decimals } = token
  const { id, number } = await db
    .insertInto('payout_run')
    .values({
      id: randomUUID(),
      network,
      contract,
      decimals,
      items: items.length,
      total,
      hash: '0'.repeat(64),
      frozen_by: finance2,
      frozen_at: new Date(at),
      needs_two: needsTwo,
      updated_at: new Date(at),
      ...(isApproved && { approved_by: admin, approved_at: new Date(at + approvedAfter) }),
      ...(isExported && { first_exported_at: new Date(at + exportedAfter) }),
      ...cancellationOf(world, run, at, items),
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow()
  const frozen: Frozen = { id, number: Number(number), at, run, items }
  await insertSampleItems(db, world, frozen, network)
  const note = noteIn(world, frozen)
  note('payout-frozen', at, 'finance2', { items: items.length, needsTwo })
  if (isApproved) note('payout-approved', at + approvedAfter, 'admin')
  const text = { number, network, contract, decimals, items: await listFrozenItems(db, id) }
  const hash = hashOf(textOfRun(text))
  await setHash(db, id, hash)
  if (isExported) await insertSampleExports(db, world, frozen, { ...text, hash, frozenAt: new Date(at) })
  noteOutcome(world, frozen)
}

async function insertSampleExports(
  db: Tx,
  world: SampleWorld,
  frozen: Frozen,
  text: RunToExport,
): Promise<void> {
  const at = frozen.at + exportedAfter
  for (const format of formatsOf(text.network)) {
    const fileHash = hashOf(fileFormats[format].write(text))
    await db
      .insertInto('payout_export')
      .values({
        run_id: frozen.id,
        format,
        by_member_id: world.operators.finance2,
        at: new Date(at),
        file_hash: fileHash,
      })
      .execute()
    noteIn(world, frozen)('payout-exported', at, 'finance2', { format, fileHash })
  }
}

function cancellationOf(
  { now, operators }: SampleWorld,
  { state, reason = '', with: story }: SampleRun,
  at: number,
  items: readonly SampleDelivery[],
) {
  if (state === 'cancelled')
    return {
      cancelled_by: operators.finance2,
      cancelled_at: new Date(at + cancelledAfter),
      cancel_reason: reason,
    }
  if (!reason) return {}
  return {
    cancel_proposed_by: operators.finance2,
    cancel_proposed_at: new Date(now - proposedAgo),
    cancel_reason: reason,
    cancel_delivery_ids: items.filter((item) => item.story === story).map(({ id }) => id),
  }
}

/** Returns the deliveries of the run whose transactions are known: all of them, or the first. */
const sentOf = ({ run, items }: Frozen): readonly SampleDelivery[] =>
  run.state === 'sent' || run.state === 'done' ? items : run.state === 'partly_sent' ? items.slice(0, 1) : []

/** One transaction pays the whole run, or one delivery if it was partly sent. */
const transactionOf = ({ number }: Frozen, network: string): string =>
  `${network.startsWith('ethereum') ? '0x' : ''}${sampleHash(`sample payout ${number}`)}`

async function insertSampleItems(
  db: Tx,
  { operators: { finance2, admin } }: SampleWorld,
  frozen: Frozen,
  network: string,
): Promise<void> {
  const { id, at, run, items } = frozen
  const sent = sentOf(frozen)
  await db
    .insertInto('payout_item')
    .values(
      items.map((item, index) => ({
        run_id: id,
        delivery_id: item.id,
        position: index + 1,
        address: item.address,
        amount: item.amount,
        is_live: run.state !== 'cancelled',
        ...(sent.includes(item) && {
          tx_id: transactionOf(frozen, network),
          sent_at: new Date(at + sentAfter),
          sent_by: finance2,
        }),
        ...(run.state === 'done' && { confirmed_at: new Date(at + confirmedAfter), confirmed_by: admin }),
      })),
    )
    .execute()
}

const noteIn =
  ({ operators, audit }: SampleWorld, { id, number }: Frozen) =>
  (action: AuditActionOn<'payout'>, at: number, by: OperatorName, detail = {}) =>
    audit.push({
      at,
      actorId: operators[by],
      action,
      subjectKind: 'payout',
      subjectId: id,
      detail: { number, ...detail },
    })

function noteOutcome(world: SampleWorld, frozen: Frozen): void {
  const { at, run, items } = frozen
  const note = noteIn(world, frozen)
  const sent = sentOf(frozen)
  if (sent.length > 0)
    note('payout-transactions-recorded', at + sentAfter, 'finance2', { count: sent.length })
  if (run.state === 'cancelled')
    note('payout-cancelled', at + cancelledAfter, 'finance2', { items: items.length })
  else if (run.reason) note('payout-cancel-proposed', world.now - proposedAgo, 'finance2', { items: 1 })
  if (run.state !== 'done') return
  note('payout-confirmed', at + confirmedAfter, 'admin', { count: items.length })
  for (const { person, orderId } of items)
    world.mails.push({ at: at + confirmedAfter, to: person, kind: 'order-delivery-confirmed', orderId })
}
