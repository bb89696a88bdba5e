import { retention } from '../members/retention.ts'
import type { Noun } from '../module.ts'
import { deleteOldTransfers } from './transfer.queries.ts'

/** What is seen of chains: addresses that are watched, and what arrived there. It goes with its orders, which the law keeps. */
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
} satisfies Noun
