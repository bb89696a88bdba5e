import type { Noun } from '../noun.ts'
import { getSale, getSaleSettings, updateSaleSettings } from './sale-handlers.ts'

/** What is sold, for what, and where it is paid. */
export const sale = {
  calls: { getSale, getSaleSettings, updateSaleSettings },
  personal: { columns: { sale: { updated_by: 'remains' } } },
} satisfies Noun
