import { DAY } from '#contract/durations.ts'
import type { Noun } from '../noun.ts'
import { confirmSaleProposal, declineSaleProposal } from './decide-proposal.ts'
import { listAddressChanges } from './list-address-changes.ts'
import { restoreSettingVersion } from './restore-version.ts'
import { getSale, getSaleSettings, updateSaleSettings } from './sale-handlers.ts'
import { expireProposals } from './sale-proposal.queries.ts'
import { deleteSaleSetter, forgetSaleSetters } from './sale.queries.ts'

/** What is sold, for what, and where it is paid. */
export const sale = {
  calls: {
    getSale,
    getSaleSettings,
    updateSaleSettings,
    confirmSaleProposal,
    declineSaleProposal,
    listAddressChanges,
    restoreSettingVersion,
  },
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
    saleSetters: ({ db }) => forgetSaleSetters(db, 2 * DAY),
    saleProposals: ({ db }) => expireProposals(db),
  },
} satisfies Noun
