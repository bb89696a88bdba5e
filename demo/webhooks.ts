import { randomUUID } from 'node:crypto'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { ChosenEventType, WebhookData } from '#contract/integrations/webhook-events.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { WebhookDeliveryState } from '#api/platform/db/rows.ts'
import { sampleHash, type SampleWorld } from './world.ts'
import type { Services } from '#api/platform/services.ts'
import { retryWaits } from '#api/integrations/webhooks/sending/webhook-worker.ts'
import { newSecret } from '#api/integrations/webhooks/webhook-secret.ts'

type Sample = {
  id: string
  url: string
  description: string
  events: ChosenEventType[]
  since: number
  /** When the endpoint stopped responding. */
  brokeAgo?: number
  pausedAgo?: number
  disabledAgo?: number
  answer: { status: number | null; trouble: string; excerpt: string }
}
type Happened = { type: ChosenEventType; subjectId: string; data: object; at: number }
type Try = { at: string; ms: number; status: number | null; trouble: string | null }

const busy = { status: 503, trouble: 'status', excerpt: 'Service Unavailable' }
const refused = { status: null, trouble: 'connection_refused', excerpt: '' }

/** How far back each log goes. */
const span = 21 * DAY

const makeSamples = (): readonly Sample[] => [
  {
    id: randomUUID(),
    url: 'https://www.partner.example/hooks/posts',
    description: 'Website of a partner',
    events: ['post.published'],
    since: 60 * DAY,
    answer: busy,
  },
  {
    id: randomUUID(),
    url: 'https://books.accounting.example/coin/v1/completed-orders?ledger=sales',
    description: '财务系统',
    events: ['order.completed', 'order.corrected', 'delivery.changed', 'payout.changed'],
    since: 45 * DAY,
    brokeAgo: 26 * HOUR,
    pausedAgo: 20 * HOUR,
    answer: busy,
  },
  {
    id: randomUUID(),
    url: 'https://crm.support.example/hooks/members',
    description: 'Customer records',
    events: ['member.activated'],
    since: 52 * DAY,
    brokeAgo: 9 * DAY,
    disabledAgo: 5 * DAY,
    answer: refused,
  },
]

/**
 * Inserts an active endpoint, a paused one, and a disabled one, each with deliveries from the demo data. Their URLs
 * lead nowhere, and only inactive endpoints have waiting events.
 */
export async function insertSampleWebhooks(
  db: Tx,
  { keys }: Pick<Services, 'keys'>,
  world: SampleWorld,
): Promise<void> {
  const { now, operators } = world
  const samples = makeSamples()
  const happened = await listHappened(db, world)
  const told = samples.flatMap((sample) =>
    happened.filter(({ type }) => sample.events.includes(type)).map((event) => ({ sample, event })),
  )
  const rows = told.map(({ sample, event }) => rowsOf(world, sample, event))
  const ago = (time: number | undefined) => (time === undefined ? null : new Date(now - time))
  await db
    .insertInto('webhook_endpoint')
    .values(
      samples.map(({ id, url, description, events, since, brokeAgo, pausedAgo, disabledAgo }) => ({
        id,
        url,
        description,
        event_types: events,
        state: disabledAgo !== undefined ? 'disabled' : pausedAgo !== undefined ? 'paused' : 'active',
        disabled_for: disabledAgo !== undefined ? 'failures' : null,
        disabled_at: ago(disabledAgo),
        paused_at: ago(pausedAgo),
        failing_since: ago(brokeAgo),
        last_delivered_at: lastDelivered(rows, id),
        sealed_secret: keys.seal('webhook', id, newSecret()),
        secret_of_finance: true,
        created_by: operators.admin,
        finance_responsible_by: operators.admin,
        created_at: ago(since)!,
        updated_at: ago(disabledAgo ?? pausedAgo ?? since)!,
      })),
    )
    .execute()
  if (rows.length > 0) {
    await db
      .insertInto('webhook_event')
      .values(rows.map(({ event }) => event))
      .execute()
    await db
      .insertInto('webhook_delivery')
      .values(rows.map(({ delivery }) => delivery))
      .execute()
  }
  for (const sample of samples) noteAudit(world, sample)
}

const lastDelivered = (rows: readonly ReturnType<typeof rowsOf>[], id: string): Date | null =>
  rows.findLast(({ delivery }) => delivery.endpoint_id === id && delivery.state === 'delivered')?.delivery
    .changed_at ?? null

async function listHappened(db: Tx, { now, people }: SampleWorld): Promise<Happened[]> {
  const since = new Date(now - span)
  const orders = await db
    .selectFrom('token_order')
    .innerJoin('order_step as step', 'step.order_id', 'token_order.id')
    .select(['token_order.id', 'member_id', 'pay_method', 'amount', 'currency', 'fab_qty'])
    .select(['step.kind', 'step.at', 'step.changes'])
    .where('status', '=', 'completed')
    // Every sample correction is one of a completed order.
    .where('step.kind', 'in', ['completed', 'corrected'])
    .where('step.at', '>', since)
    .execute()
  const posts = await db
    .selectFrom('announcement')
    .select(['id', 'slug', 'language', 'version', 'posted_at as at'])
    .where('state', '=', 'published')
    .where('posted_at', '>', since)
    .execute()
  const activated = people
    .filter(({ activatedAt }) => activatedAt !== null && activatedAt > since.getTime() && activatedAt < now)
    .map(({ id, activatedAt }): Happened => {
      const data = { memberId: id, activatedAt: iso(activatedAt!) }
      return { type: 'member.activated', subjectId: id, at: activatedAt!, data }
    })
  const ofPayouts = [...(await listDeliveryEvents(db)), ...(await listPayoutEvents(db))].filter(
    ({ at }) => at > since.getTime(),
  )
  const ofOrders = orders.map(({ id, member_id, fab_qty, kind, at, changes, ...order }): Happened => {
    const about = { orderId: id, memberId: member_id }
    const fabQty = fab_qty && shortDecimal(fab_qty)
    const happened = { subjectId: id, at: at.getTime() }
    if (kind === 'corrected') {
      const fields = (changes as { field: string }[]).map(({ field }) => field)
      const data = { ...about, fields, fabQty, correctedAt: at.toISOString() }
      return { type: 'order.corrected', data, ...happened }
    }
    const { pay_method: payMethod, amount, currency } = order
    const paid = { payMethod, amount: amount && shortDecimal(amount), currency }
    const data = { ...about, status: 'completed', ...paid, fabQty, completedAt: at.toISOString() }
    return { type: 'order.completed', data, ...happened }
  })
  const published = posts.map(({ id, slug, language, version, at }): Happened => {
    const data = { postId: id, slug, language, version, publishedAt: at.toISOString() }
    return { type: 'post.published', subjectId: id, at: at.getTime(), data }
  })
  return [...activated, ...ofOrders, ...ofPayouts, ...published].toSorted((a, b) => a.at - b.at)
}

/** When each delivery was created, frozen into a run that stands, sent, and confirmed. */
async function listDeliveryEvents(db: Tx): Promise<Happened[]> {
  const rows = await db
    .selectFrom('delivery')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .leftJoin('payout_item', (join) =>
      join.onRef('payout_item.delivery_id', '=', 'delivery.id').on('payout_item.is_live', '=', true),
    )
    .leftJoin('payout_run', 'payout_run.id', 'payout_item.run_id')
    .select(['delivery.id', 'order_id', 'member_id', 'delivery.amount', 'due_at', 'delivery.created_at'])
    .select(['payout_item.run_id', 'payout_item.tx_id', 'frozen_at', 'sent_at', 'confirmed_at'])
    .execute()
  return rows.flatMap((row) =>
    (
      [
        ['created', row.created_at],
        ['in_run', row.frozen_at],
        ['sent', row.sent_at],
        ['confirmed', row.confirmed_at],
      ] as const
    ).flatMap(([state, at]): Happened[] => {
      if (at === null) return []
      const data: WebhookData<'delivery.changed'> = {
        deliveryId: row.id,
        orderId: row.order_id,
        memberId: row.member_id,
        state,
        amount: shortDecimal(row.amount),
        dueAt: row.due_at.toISOString(),
        runId: state === 'created' ? null : row.run_id,
        txId: state === 'sent' || state === 'confirmed' ? (row.tx_id ?? '') : '',
        changedAt: at.toISOString(),
      }
      return [{ type: 'delivery.changed', subjectId: row.id, at: at.getTime(), data }]
    }),
  )
}

async function listPayoutEvents(db: Tx): Promise<Happened[]> {
  const runs = await db
    .selectFrom('payout_run')
    .select(['id', 'number', 'items', 'total', 'hash', 'frozen_at', 'approved_at'])
    .select(['first_exported_at', 'cancelled_at'])
    .execute()
  return runs.flatMap(({ id, number, items, total, hash, ...times }) =>
    (
      [
        ['frozen', times.frozen_at],
        ['approved', times.approved_at],
        ['exported', times.first_exported_at],
        ['cancelled', times.cancelled_at],
      ] as const
    ).flatMap(([state, at]): Happened[] => {
      if (at === null) return []
      const data: WebhookData<'payout.changed'> = {
        runId: id,
        number: Number(number),
        state,
        items,
        total: shortDecimal(total),
        hash,
        changedAt: at.toISOString(),
      }
      return [{ type: 'payout.changed', subjectId: id, at: at.getTime(), data }]
    }),
  )
}

/** The outcome depends on the time of the event. */
function rowsOf({ now, dice }: SampleWorld, sample: Sample, { type, subjectId, data, at }: Happened) {
  const { id, brokeAgo, pausedAgo, disabledAgo, answer } = sample
  const stoppedAt = now - (pausedAgo ?? disabledAgo ?? 0)
  const isBroken = brokeAgo !== undefined && at > now - brokeAgo
  const tries = isBroken ? triesOf(at, stoppedAt, answer) : [{ at, ms: dice.between(38, 420) }].map(succeeded)
  const givenUp: WebhookDeliveryState = tries.length > retryWaits.length ? 'failed' : 'waiting'
  const last = tries.at(-1)
  const changedAt = new Date(last ? Date.parse(last.at) + last.ms : at)
  const eventId = `evt_${sampleHash(`sample event ${id} ${subjectId} ${type} ${at}`).slice(0, 32)}`
  const event = {
    id: eventId,
    type,
    subject_id: subjectId,
    data: JSON.stringify(data),
    created_at: new Date(at),
  }
  const delivery = {
    endpoint_id: id,
    event_id: eventId,
    subject_id: subjectId,
    state: isBroken ? givenUp : ('delivered' as const),
    attempts: tries.length,
    next_try_at: new Date(changedAt.getTime() + (retryWaits[tries.length - 1] ?? 0)),
    ...(last && {
      last_status: last.status,
      last_error: last.trouble,
      last_ms: last.ms,
      response_excerpt: last.trouble ? answer.excerpt : '{"received":true}',
    }),
    tries: JSON.stringify(tries),
    created_at: new Date(at),
    changed_at: changedAt,
  }
  return { event, delivery }
}

const succeeded = ({ at, ms }: { at: number; ms: number }): Try => ({
  at: iso(at + SECOND),
  ms,
  status: 200,
  trouble: null,
})

/** Returns consecutive attempts with the worker's delays, until the endpoint was stopped. */
function triesOf(at: number, until: number, { status, trouble }: Sample['answer']): Try[] {
  const tries: Try[] = []
  let next = at + SECOND
  for (const wait of [...retryWaits, 0]) {
    if (next > until) break
    tries.push({ at: iso(next), ms: 120 + tries.length * 7, status, trouble })
    next += wait + 2 * MINUTE
  }
  return tries
}

function noteAudit({ now, operators, audit }: SampleWorld, sample: Sample): void {
  const { id, url, events, since, pausedAgo, disabledAgo } = sample
  const of = { actorId: operators.admin, subjectKind: 'webhook', subjectId: id } as const
  const detail = { fields: events, to: new URL(url).host }
  audit.push({ at: now - since, action: 'webhook-created', detail, ...of })
  if (pausedAgo !== undefined) audit.push({ at: now - pausedAgo, action: 'webhook-paused', ...of })
  if (disabledAgo !== undefined)
    audit.push({
      at: now - disabledAgo,
      action: 'webhook-disabled',
      ...of,
      actorId: null,
      detail: { why: 'failures' },
    })
}

const iso = (at: number): string => new Date(Math.round(at)).toISOString()
