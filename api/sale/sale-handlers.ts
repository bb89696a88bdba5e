import type { api } from '#contract/api.ts'
import { shortDecimal } from '#contract/decimal.ts'
import { currencyOf } from '#contract/orders.ts'
import { HOUR } from '#contract/durations.ts'
import type { PayMethodSettings, SaleSettings } from '#contract/sale.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import {
  findSale,
  listPayMethods,
  lockSale,
  noteSaleSetter,
  replaceSale,
  type PayMethodRow,
} from './sale.queries.ts'
import { problemsOf, withCheckedAddress } from './sale.rules.ts'

export const getSale: Handler<typeof api.getSale> = async (_, { db, config }) => {
  const { isOpen, quoteMinutes, payMethods } = await readSettings(db)
  return {
    isOpen,
    quoteMinutes,
    payHours: config.orderPayTime / HOUR,
    payMethods: isOpen ? payMethods.filter((method) => method.isOpen) : [],
  }
}

export const getSaleSettings: Handler<typeof api.getSaleSettings> = (_, { db }) => readSettings(db)

export const updateSaleSettings: Handler<typeof api.updateSaleSettings> = async (
  { body },
  { db, caller },
) => {
  // Whoever changes the receiving addresses could redirect payments to themselves.
  caller.requireStepUp()
  const { lastUpdated, ...given } = body
  const codes = given.payMethods.map(({ code }) => code)
  const fields = given.payMethods.flatMap((method, index) => problemsOf(method, index, codes))
  if (fields.length > 0) throw new Refused('validation_failed', { fields })
  const settings = { ...given, payMethods: given.payMethods.map(withCheckedAddress) }
  return transaction(db, async (db) => {
    const stored = await lockSale(db)
    const storedTime = stored?.updated_at.toISOString() ?? null
    if (lastUpdated !== undefined && lastUpdated !== storedTime) throw new Refused('conflict')
    const before = await readSettings(db)
    await replaceSale(db, settings, caller.memberId)
    const after = await readSettings(db)
    const fields = changedFields(before, after)
    if (fields.length > 0) await noteSaleSetter(db, caller.memberId)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'sale-updated',
      subjectKind: 'sale',
      subjectId: null,
      detail: { isOpen: after.isOpen, fields },
    })
    return after
  })
}

async function readSettings(db: Tx): Promise<SaleSettings> {
  const sale = await findSale(db)
  return {
    isOpen: sale?.is_open ?? false,
    quoteMinutes: sale?.quote_minutes ?? 15,
    payMethods: (await listPayMethods(db)).map(presentPayMethod),
    lastUpdated: sale?.updated_at.toISOString() ?? null,
  }
}

const presentPayMethod = (row: PayMethodRow): PayMethodSettings => ({
  code: row.code,
  chain: row.chain,
  currency: row.currency ?? currencyOf(row.code),
  isOpen: row.is_open,
  rate: shortDecimal(row.rate),
  decimals: row.decimals,
  minAmount: shortDecimal(row.min_amount),
  maxAmount: shortDecimal(row.max_amount),
  receivingAddress: row.receiving_address,
})

/** Such as `quoteMinutes`, `BTC.rate`, or `ETH` for a method that came or went. */
function changedFields(before: SaleSettings, after: SaleSettings): string[] {
  const own = (['isOpen', 'quoteMinutes'] as const).filter((name) => before[name] !== after[name])
  const methodOf = (settings: SaleSettings, code: string) =>
    settings.payMethods.find((method) => method.code === code)
  const codes = new Set([...before.payMethods, ...after.payMethods].map(({ code }) => code))
  const ofMethods = [...codes].flatMap((code) => {
    const [old, now] = [methodOf(before, code), methodOf(after, code)]
    if (!old || !now) return [code]
    return (Object.keys(now) as (keyof PayMethodSettings)[])
      .filter((name) => old[name] !== now[name])
      .map((name) => `${code}.${name}`)
  })
  return [...own, ...ofMethods]
}
