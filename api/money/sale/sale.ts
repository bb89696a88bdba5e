import { DAY } from '#contract/platform/durations.ts'
import { collectHandlers, type Module } from '../../platform/module.ts'
import * as decideProposal from './decide-proposal.ts'
import * as restoreVersion from './restore-version.ts'
import * as saleHandlers from './sale-handlers.ts'
import { expireProposals } from './sale-proposal.queries.ts'
import { deleteSaleSetter, deletePriceEditors } from './sale.queries.ts'

/** Sale settings: payment methods, rates, and receiving addresses. */
export const sale = {
  calls: collectHandlers(decideProposal, restoreVersion, saleHandlers),
  personal: {
    columns: {
      sale: { updated_by: 'remains' },
      withdrawn_price: { pay_method: 'remains' },
      sale_setter: { member_id: 'erased' },
      sale_proposal: {
        proposed_by: 'remains',
        ended_by: 'remains',
        reason: 'remains',
        settings: 'remains',
        changes: 'remains',
      },
    },
    erase: (db, { id }) => deleteSaleSetter(db, id),
  },
  cleanUp: {
    saleSetters: ({ db }) => deletePriceEditors(db, 2 * DAY),
    saleProposals: ({ db }) => expireProposals(db),
  },
} satisfies Module
