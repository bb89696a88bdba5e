import type { api } from '#contract/api.ts'
import { shortDecimal } from '#contract/decimal.ts'
import { currencyOf } from '#contract/orders.ts'
import { HOUR } from '#contract/durations.ts'
import type { Quote } from '#contract/sale.ts'
import type { Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { findKycStateOfMember } from '../kyc/kyc.queries.ts'
import { Refused, refusedField } from '../refused.ts'
import { requireQuotedRoom } from '../sale/caps.ts'
import { findPayMethod, findSale } from '../sale/sale.queries.ts'
import { requireNoSelfPricing } from '../sale/self-pricing.ts'
import { quoteAmount } from '../sale/sale.rules.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { insertQuote, lockQuoteOfMember, markQuoteUsed, type QuoteRow } from './quote.queries.ts'

const perHourMax = 120

export const createQuote: Handler<typeof api.createQuote> = async ({ body }, { db, keys, caller }) => {
  if ((await findKycStateOfMember(db, caller.memberId)) !== 'approved') throw new Refused('identity_needed')
  const sale = await findSale(db)
  if (!sale?.is_selling) throw new Refused('sale_closed')
  await requireNoSelfPricing(db, caller.memberId)
  const method = await findPayMethod(db, body.payMethod)
  if (!method?.is_open) throw refusedField('payMethod', 'one_of')
  const fabQty = quoteAmount(method, body.amount)
  await requireQuotedRoom(db, sale, method, { memberId: caller.memberId, fabQty })
  await requireWithinLimits(db, keys, [{ key: `quote ${caller.memberId}`, max: perHourMax, window: HOUR }])
  const row = await insertQuote(db, {
    memberId: caller.memberId,
    payMethod: method.code,
    currency: method.currency,
    amount: body.amount,
    rate: method.rate,
    fabQty,
    minutes: sale.quote_minutes,
  })
  return presentQuote(row)
}

/** Uses the caller's quote for an order. A quote can be used once, until it expires. */
export async function consumeQuote(db: Tx, memberId: string, id: string): Promise<QuoteRow> {
  const quote = await lockQuoteOfMember(db, memberId, id)
  if (!quote) throw new Refused('quote_unknown')
  if (quote.used_at) throw new Refused('quote_used')
  if (quote.is_expired) throw new Refused('quote_expired')
  await markQuoteUsed(db, id)
  return quote
}

const presentQuote = (row: QuoteRow): Quote => ({
  quoteId: row.id,
  payMethod: row.pay_method,
  amount: shortDecimal(row.amount),
  currency: row.currency ?? currencyOf(row.pay_method),
  rate: shortDecimal(row.rate),
  fabQty: shortDecimal(row.fab_qty),
  expiresAt: row.expires_at.toISOString(),
})
