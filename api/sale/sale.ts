import { DAY } from '#contract/durations.ts'
import type { Noun } from '../noun.ts'
import { getSale, getSaleSettings, updateSaleSettings } from './sale-handlers.ts'
import { deleteSaleSetter, forgetSaleSetters } from './sale.queries.ts'

/** What is sold, for what, and where it is paid. */
export const sale = {
  calls: { getSale, getSaleSettings, updateSaleSettings },
  personal: {
    columns: { sale: { updated_by: 'remains' }, sale_setter: { member_id: 'erased' } },
    erase: (db, { id }) => deleteSaleSetter(db, id),
  },
  cleanUp: { saleSetters: ({ db }) => forgetSaleSetters(db, 2 * DAY) },
} satisfies Noun
