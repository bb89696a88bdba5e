import { shownReference } from '#api/platform/text/order-reference.ts'
import { api } from '#contract/api.ts'
import type { ImportPlan } from '#contract/money/import-payments.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import type { OrderChange } from '#api/money/orders/order.queries.ts'
import { anOrder } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

type Officer = { token: string }

/** Reads the statements of these tests: date, amount, and purpose. */
export const bankMapping: StatementMapping = {
  columns: { date: 0, amount: 1, reference: 2 },
  currency: 'EUR',
  numbers: 'point',
  dates: 'iso',
}

/** An order of the member that awaits 100 EUR by bank transfer. */
export async function aBankOrder(started: TestApi, owner: { id: string }, change: OrderChange = {}) {
  const values = { payMethod: 'Bank', currency: 'EUR', fabQty: '5', amount: '100', ...change }
  const { id, reference } = await anOrder(started, owner.id, values)
  return { id, reference: shownReference(reference) }
}

/** Imports a statement as it was previewed. Returns the preview and the result. */
export async function importStatement(
  { call }: TestApi,
  { token }: Officer,
  text: string,
  mapping?: StatementMapping,
): Promise<{ shown: ImportPlan; done: ImportPlan }> {
  const body = { file: Buffer.from(text).toString('base64'), ...(mapping && { mapping }) }
  const { body: shown } = await call(api.importOrderPayments, { body }, { token })
  const seen = shown.lines.map(({ id, updatedAt }) => ({ id, updatedAt }))
  const { body: done } = await call(api.importOrderPayments, { body: { ...body, seen } }, { token })
  return { shown, done }
}

/** Lists the open lines that contain the text in their reference or transaction. */
export async function linesAbout({ call }: TestApi, { token }: Officer, text: string) {
  const { body } = await call(api.listStatementLines, { query: { limit: 100 } }, { token })
  return body.filter(({ reference, txId }) => `${reference} ${txId}`.includes(text))
}
