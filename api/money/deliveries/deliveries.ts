import { collectHandlers, type Module } from '../../platform/module.ts'
import * as holdDelivery from './hold-delivery.ts'
import * as readDeliveries from './read-deliveries.ts'

/** Deliveries of the tokens of completed orders. They are retained with their orders. */
export const deliveries = {
  calls: collectHandlers(holdDelivery, readDeliveries),
  personal: {
    columns: {
      delivery: {
        reference: 'retained',
        held_by: 'retained',
        hold_reason: 'retained',
        released_by: 'retained',
        cancel_cause: 'retained',
      },
    },
  },
} satisfies Module
