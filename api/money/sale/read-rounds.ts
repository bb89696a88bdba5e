import { saleRounds, type RoundRow } from '#contract/money/sale-rounds.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { serveResource } from '../../platform/resource/serve-resource.ts'
import { nameOf } from './current-round.ts'
import { findListedRound, listRoundRows, type ListedRound } from './round-list.queries.ts'

const presentListed = (row: ListedRound): RoundRow => ({
  id: row.id,
  name: nameOf(row),
  opensAt: row.opens_at?.toISOString() ?? null,
  closesAt: row.closes_at?.toISOString() ?? null,
  state: row.state,
  sold: shortDecimal(row.sold),
  cap: row.cap === null ? null : shortDecimal(row.cap),
  orders: row.orders,
  members: row.members,
})

export const { list: listSaleRounds, get: getSaleRound } = serveResource(saleRounds, {
  read: ({ db }, filters, page) => listRoundRows(db, filters, page),
  present: (_, rows) => rows.map(presentListed),
  detail: async ({ db }, id) => {
    const row = await findListedRound(db, id)
    return row && presentListed(row)
  },
})
