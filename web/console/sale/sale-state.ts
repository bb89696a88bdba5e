import { parseDecimal } from '#contract/decimal.ts'
import type { SaleSettings } from '#contract/sale.ts'

export type SaleState = 'unset' | 'closed' | 'early' | 'over' | 'soldOut' | 'open'

/** The sale as members currently see it. */
export function saleStateOf(settings: SaleSettings, now: number): SaleState {
  if (settings.lastUpdated === null) return 'unset'
  if (!settings.isOpen) return 'closed'
  if (settings.opensAt !== null && Date.parse(settings.opensAt) > now) return 'early'
  if (settings.closesAt !== null && Date.parse(settings.closesAt) <= now) return 'over'
  const { cap, sold } = settings
  if (cap !== null && sold !== null && parseDecimal(sold) >= parseDecimal(cap)) return 'soldOut'
  return 'open'
}
