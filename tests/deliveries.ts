import { sql } from 'kysely'
import { api } from '#contract/api.ts'
import type { VestingPlan } from '#contract/money/vesting.ts'
import type { WebhookData } from '#contract/integrations/webhook-events.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { anOrder, aSignedInMember, type TestMember } from './builders.ts'
import { updatePaid } from './orders.ts'
import { as } from './step-up.ts'
import type { TestApi } from './setup/start-api.ts'

type Wanted = {
  quantity?: string
  address?: string
  paidAmount?: string
  member?: TestMember
  vesting?: VestingPlan
}

/** An order that the officer completes, with its member and the first delivery that this creates. */
export async function aCompletedOrder(
  on: TestApi,
  officer: TestMember,
  {
    quantity = '100',
    address = sampleTokenAddress(crypto.randomUUID()),
    paidAmount,
    member,
    vesting,
  }: Wanted = {},
) {
  const owner = member ?? (await aSignedInMember(on))
  const fields = { fabQty: quantity, fabAddress: address, ...(paidAmount && { paidAmount }) }
  const { id } = await anOrder(on, owner.id, fields)
  if (vesting)
    await on.services.db
      .updateTable('token_order')
      .set({ vesting: JSON.stringify(vesting) })
      .where('id', '=', id)
      .execute()
  const completed = await updatePaid(on, { _id: id, status: 'completed', reason: 'Paid.' }, officer)
  if (completed.body.status !== 'completed') throw new Error(JSON.stringify(completed.problem))
  const [delivery] = await deliveriesOf(on, officer, id)
  return { id, member: owner, address, deliveryId: delivery!.id }
}

export const orderDeliveries = async (on: TestApi, by: TestMember, id: string) =>
  (await on.call(api.getOrderDeliveries, { params: { id } }, as(by))).body

export const deliveriesOf = async (on: TestApi, by: TestMember, id: string) =>
  (await orderDeliveries(on, by, id)).deliveries

/** Compares the deliveries of each completed order that has some with its quantity, and looks for two live items. */
export async function listInexact({ services }: TestApi): Promise<unknown[]> {
  const { rows } = await sql`select o.id from token_order o join delivery d on d.order_id = o.id
      where o.status = 'completed' and d.cancelled_at is null
      group by o.id having sum(d.amount) <> o.fab_qty
    union all select d.id from delivery d
      where d.is_in_run <> exists (select from payout_item i where i.delivery_id = d.id and i.is_live)
    union all select i.delivery_id from payout_item i join payout_run r on r.id = i.run_id
      where r.cancelled_at is null and i.is_live group by i.delivery_id having count(*) > 1
    union all select r.id from payout_run r join payout_item i on i.run_id = r.id
      group by r.id having sum(i.amount) <> r.total`.execute(services.db)
  return rows
}

/** Subscribes an endpoint to what happens to deliveries. */
export async function subscribe({ services }: TestApi): Promise<void> {
  const types = sql<string[]>`array['delivery.changed']`
  await services.db
    .insertInto('webhook_endpoint')
    .values({ url: 'https://example.org/hook', event_types: types })
    .execute()
}

/** Returns the events about an order's deliveries, oldest first. */
export async function eventsOf({ services }: TestApi, orderId: string) {
  const rows = await services.db
    .selectFrom('webhook_event')
    .select('data')
    .where('type', '=', 'delivery.changed')
    .where(sql<boolean>`data ->> 'orderId' = ${orderId}`)
    .orderBy('created_at')
    .execute()
  return rows.map(({ data }) => data as unknown as WebhookData<'delivery.changed'>)
}
