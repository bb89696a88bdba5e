import { collectHandlers, type Module } from '../../platform/module.ts'
import * as readDeliveries from './read-deliveries.ts'

/** Deliveries of the tokens of completed orders. They are retained with their orders. */
export const deliveries = {
  calls: collectHandlers(readDeliveries),
  personal: {
    columns: {
      delivery: {
        reference: 'retained',
        hold_reason: 'retained',
        cancel_cause: 'retained',
      },
    },
  },
} satisfies Module
