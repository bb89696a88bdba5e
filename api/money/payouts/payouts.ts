import { collectHandlers, type Module } from '../../platform/module.ts'
import * as approveRun from './approve-run.ts'
import * as cancelRun from './cancel-run.ts'
import * as exportRun from './export-run.ts'
import * as freezeRun from './freeze-run.ts'
import * as holds from './holds.ts'
import * as readPayouts from './read-payouts.ts'
import * as recordTransactions from './record-transactions.ts'

/** Payout runs: which tokens were sent where. They are retained with the orders that they paid. */
export const payouts = {
  calls: collectHandlers(approveRun, cancelRun, exportRun, freezeRun, holds, readPayouts, recordTransactions),
  personal: {
    columns: {
      payout_run: {
        frozen_by: 'retained',
        approved_by: 'retained',
        cancel_proposed_by: 'retained',
        cancel_reason: 'retained',
        cancelled_by: 'retained',
      },
      payout_item: {
        address: 'retained',
        target: 'retained',
        tx_id: 'retained',
        sent_by: 'retained',
        confirmed_by: 'retained',
      },
      payout_export: { by_member_id: 'retained' },
      payout_hold: {
        opened_by: 'retained',
        note: 'retained',
        first_released_by: 'retained',
        released_by: 'retained',
        release_note: 'retained',
      },
      payout_dismissed: { by_member_id: 'retained', reason: 'retained' },
    },
  },
} satisfies Module
