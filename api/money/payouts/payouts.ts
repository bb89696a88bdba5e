import { collectHandlers, type Module } from '../../platform/module.ts'
import * as approveRun from './approve-run.ts'
import * as cancelRun from './cancel-run.ts'
import * as exportRun from './export-run.ts'
import * as freezeRun from './freeze-run.ts'
import * as holds from './holds.ts'
import * as readPayouts from './read-payouts.ts'
import * as recordTransactions from './record-transactions.ts'
import * as resolveTransfer from './resolve-transfer.ts'
import { startTokenWatcher } from './watch-transfers.ts'

/**
 * Payout runs: which tokens were sent where. Addresses and transactions are retained with the orders that they paid. What
 * officers decided remains, as in the audit log.
 */
export const payouts = {
  calls: collectHandlers(
    approveRun,
    cancelRun,
    exportRun,
    freezeRun,
    holds,
    readPayouts,
    recordTransactions,
    resolveTransfer,
  ),
  workers: [startTokenWatcher],
  personal: {
    columns: {
      payout_run: {
        frozen_by: 'remains',
        approved_by: 'remains',
        cancel_proposed_by: 'remains',
        cancel_reason: 'remains',
        cancelled_by: 'remains',
      },
      payout_item: {
        address: 'retained',
        tx_id: 'retained',
        sent_by: 'retained',
        assign_reason: 'retained',
        confirmed_by: 'retained',
      },
      payout_export: { by_member_id: 'remains' },
      payout_dismissed: { by_member_id: 'remains', reason: 'remains' },
      payout_hold: {
        opened_by: 'remains',
        note: 'remains',
        first_released_by: 'remains',
        released_by: 'remains',
        release_note: 'remains',
        second_release_note: 'remains',
      },
    },
  },
} satisfies Module
