import type { api } from '#contract/api.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { listDeliveries } from './delivery-log.queries.ts'
import { readsFinance } from './of-finance.ts'
import { presentDelivery, presentWebhook } from './present-webhook.ts'
import { findEndpoint, findPlainEndpoint, listEndpoints } from './webhook.queries.ts'

export const listWebhooks: Handler<typeof api.listWebhooks> = async (_, { db }) =>
  (await listEndpoints(db)).map(presentWebhook)

export const getWebhook: Handler<typeof api.getWebhook> = async ({ params }, { db }) => {
  const row = await findEndpoint(db, params.id)
  if (!row) throw new Refused('not_found')
  return presentWebhook(row)
}

export const listWebhookDeliveries: Handler<typeof api.listWebhookDeliveries> = async (
  { params, query: { limit, after, ...filters } },
  { db, caller, answer },
) => {
  if (!(await findPlainEndpoint(db, params.id))) throw new Refused('not_found')
  const { rows, next } = await listDeliveries(db, params.id, filters, { limit, after })
  answer.setNext(next)
  return rows.map((row) => presentDelivery(row, readsFinance(caller)))
}
