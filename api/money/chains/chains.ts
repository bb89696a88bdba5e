import { retention } from '../../people/members/retention.ts'
import type { Module } from '../../platform/module.ts'
import { deleteOldTransfers } from './transfer.queries.ts'

/**
 * Monitored addresses and incoming payments on the chains. Deleted together with their orders, which are retained by
 * law.
 */
export const chains = {
  personal: {
    columns: {
      chain_address: { target: 'retained', address: 'retained' },
      chain_transfer: { tx_id: 'retained', block_hash: 'retained' },
    },
  },
  cleanUp: {
    oldTransfers: ({ db }) => deleteOldTransfers(db, retention),
  },
} satisfies Module
