import type { api } from '#contract/api.ts'
import { deliveries, totalMonthsMax } from '#contract/money/console-deliveries.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { utc, type CsvColumns } from '../../platform/http/csv-download.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { sendFile, serveResource } from '../../platform/resource/serve-resource.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import {
  findOrderToDeliver,
  listDeliveriesOfMember,
  listDeliveryRows,
  type ListedDelivery,
} from './delivery.queries.ts'
import { presentListedDelivery, presentOrderDeliveries, presentOwnDelivery } from './present-delivery.ts'
import { listDueMonths, listRoundNames, listRoundSums, readSums, type Sums } from './totals.queries.ts'

export const getOrderDeliveries: Handler<typeof api.getOrderDeliveries> = async ({ params }, context) => {
  const { db, caller } = context
  const order = (await findOrderToDeliver(db, params.id)).openFor(caller)
  return presentOrderDeliveries(db, context, order)
}

export const listOwnDeliveries: Handler<typeof api.listOwnDeliveries> = async (
  { query },
  { db, caller, answer },
) => {
  const { rows, next } = await listDeliveriesOfMember(db, caller.memberId, query)
  answer.setNext(next)
  return rows.map(presentOwnDelivery)
}

type Columns = CsvColumns<ListedDelivery>

const listed: Columns = [
  ['delivery', (row) => row.reference],
  ['order', (row) => shownReference(row.order_reference)],
  ['member', (row) => row.member_email ?? ''],
  ['tranche', (row) => String(row.tranche)],
  ['amount', (row) => shortDecimal(row.amount)],
  ['due', (row) => utc(row.due_at)],
  ['state', (row) => row.state],
  ['hold', (row) => presentOwnDelivery(row).hold ?? ''],
  ['address', (row) => row.address],
  ['payoutRun', (row) => row.run_number ?? ''],
  ['txId', (row) => row.tx_id ?? ''],
  ['sent', (row) => utc(row.sent_at)],
  ['confirmed', (row) => utc(row.confirmed_at)],
  ['round', (row) => row.round_en ?? ''],
]

/** Stable columns for programs that read the file: new ones are added at the end, and none is renamed. */
const accounts: Columns = [
  ['delivery', (row) => row.reference],
  ['deliveryId', (row) => row.id],
  ['order', (row) => shownReference(row.order_reference)],
  ['orderId', (row) => row.order_id],
  ['tranche', (row) => String(row.tranche)],
  ['amount', (row) => shortDecimal(row.amount)],
  ['state', (row) => row.state],
  ['createdAt', (row) => utc(row.created_at)],
  ['dueAt', (row) => utc(row.due_at)],
  ['payoutRun', (row) => row.run_number ?? ''],
  ['address', (row) => row.address],
  ['txId', (row) => row.tx_id ?? ''],
  ['sentAt', (row) => utc(row.sent_at)],
  ['confirmedAt', (row) => utc(row.confirmed_at)],
  ['cancelledAt', (row) => utc(row.cancelled_at)],
  ['cancelCause', (row) => row.cancel_cause ?? ''],
  ['roundId', (row) => row.round_id ?? ''],
  ['round', (row) => row.round_en ?? ''],
]

export const { list: listDeliveries, file: exportDeliveries } = serveResource(deliveries, {
  read: ({ db }, filters, page) => listDeliveryRows(db, filters, page),
  present: ({ caller }, rows) => rows.map((row) => presentListedDelivery(row, caller.memberId)),
  file: { columns: listed, lines: (_, rows) => rows },
})

export const exportDeliveryAccounts: Handler<typeof api.exportDeliveryAccounts> = async (
  { query },
  context,
) => {
  context.caller.requireStepUp()
  return sendFile<ListedDelivery, ListedDelivery>(
    context,
    {
      name: 'deliveries-accounting',
      columns: accounts,
      lines: (_, rows) => rows,
      limit: { name: 'deliveries' },
    },
    (page) => listDeliveryRows(context.db, query, page),
  )
}

const presentRound = ({
  id,
  name_en: en,
  name_cn: cn,
}: {
  id: string
  name_en: string
  name_cn: string
}) => ({
  id,
  name: { en, cn },
})

export const listDeliveryRounds: Handler<typeof api.listDeliveryRounds> = async (_, { db }) => ({
  rounds: (await listRoundNames(db)).map(presentRound),
})

const presentSums = (sums: Sums) => ({
  sold: shortDecimal(sums.sold),
  delivered: shortDecimal(sums.delivered ?? '0'),
  sent: shortDecimal(sums.sent ?? '0'),
  inRuns: shortDecimal(sums.in_runs ?? '0'),
  due: shortDecimal(sums.due ?? '0'),
  locked: shortDecimal(sums.locked ?? '0'),
})

export const readDeliveryTotals: Handler<typeof api.readDeliveryTotals> = async ({ query }, { db }) => {
  const rounds = await listRoundSums(db)
  const months = await listDueMonths(db, query, totalMonthsMax)
  return {
    ...presentSums(await readSums(db)),
    rounds: rounds.map((round) => ({ ...presentRound(round), ...presentSums(round) })),
    months: months.map(({ month, count, amount, delivered }) => ({
      month,
      count,
      amount: shortDecimal(amount),
      delivered: shortDecimal(delivered),
    })),
  }
}
