import { shownReference } from '../../platform/text/order-reference.ts'
import { listArrivedFor } from '../chains/transfer.queries.ts'
import { listDeliveriesOfOrder } from '../deliveries/delivery.queries.ts'
import { presentDelivery } from '../deliveries/present-delivery.ts'
import { eachPage } from '../../platform/db/each-page.ts'
import { retention } from '../../people/members/retention.ts'
import { exportNotesOf } from '../../people/notes/present-notes.ts'
import { collectHandlers, type Module, type Source } from '../../platform/module.ts'
import * as assignOrders from './console/assign-orders.ts'
import * as bulkOrders from './console/bulk-orders.ts'
import * as declineCompletion from './console/decline-completion.ts'
import * as orderNotes from './console/order-notes.ts'
import * as importPayments from './console/import-payments.ts'
import * as readConsoleOrders from './console/read-console-orders.ts'
import * as createOrder from './create-order.ts'
import * as decideDelivery from './deliveries/decide-delivery.ts'
import { startDeadlineWorker } from './deadline-worker.ts'
import { deleteOfficersErasedBefore, isOrderOfficer, retainOrderOfficer } from './order-officer.queries.ts'
import { deleteOrdersOfErased, listOrdersOfMember, unassignOrdersOf } from './order.queries.ts'
import * as extendDeadline from './extend-deadline.ts'
import * as ownOrder from './own-order.ts'
import { presentOrder } from './present-order.ts'
import { deleteOldQuotes, deleteQuotesOfMember } from './quote.queries.ts'
import * as orderReads from './read-orders.ts'
import { listShownSteps } from './read-orders.ts'
import * as reportPayment from './report-payment.ts'
import * as resolveLines from './statements/resolve-lines.ts'
import { deleteOldLines } from './statements/statement-line.queries.ts'
import * as updateOrder from './update-order.ts'
import * as decideWithdrawal from './withdrawals/decide-withdrawal.ts'
import { presentWithdrawal } from './withdrawals/present-withdrawal.ts'
import * as readConsoleWithdrawals from './withdrawals/read-console-withdrawals.ts'
import * as requestWithdrawal from './withdrawals/request-withdrawal.ts'
import { listWithdrawalsOfMember } from './withdrawals/withdrawal.queries.ts'

const pageSize = 100

/** Token orders and the quotes they are placed with. Orders are retained by law. */
export const orders = {
  calls: collectHandlers(
    assignOrders,
    bulkOrders,
    declineCompletion,
    importPayments,
    orderNotes,
    readConsoleOrders,
    createOrder,
    decideDelivery,
    extendDeadline,
    ownOrder,
    orderReads,
    reportPayment,
    resolveLines,
    updateOrder,
    decideWithdrawal,
    readConsoleWithdrawals,
    requestWithdrawal,
  ),
  personal: {
    columns: {
      token_order: {
        member_id: 'retained',
        assignee_id: 'erased',
        email: 'retained',
        eth_address: 'retained',
        btc_address: 'retained',
        fab_address: 'retained',
        pay_method: 'retained',
        receiving_address: 'retained',
        reference: 'retained',
        tx_id: 'retained',
        tx_key: 'retained',
        currency: 'retained',
        vesting: 'retained',
        completion_proposed_by: 'retained',
        completion_reason: 'retained',
        completion_seen: 'retained',
        proposed_correction: 'retained',
      },
      order_step: {
        by_member_id: 'retained',
        reason: 'retained',
        tx_id: 'retained',
        tx_key: 'retained',
        changes: 'retained',
      },
      order_officer: { member_id: 'retained', display_name: 'retained', email: 'retained' },
      order_withdrawal: {
        reference: 'retained',
        refund_address: 'retained',
        note: 'retained',
        reason: 'retained',
        decided_by: 'retained',
        refund_currency: 'retained',
        covering_currency: 'retained',
        refund_tx_id: 'retained',
        refunded_by: 'retained',
        proposed_by: 'retained',
        proposal: 'retained',
        proposal_seen: 'retained',
      },
      refund_transaction: { tx_key: 'retained' },
      statement_line: {
        problem: 'retained',
        reference: 'retained',
        tx_id: 'retained',
        tx_key: 'retained',
        other_order_ids: 'retained',
        amount: 'retained',
        currency: 'retained',
        sender: 'retained',
        address: 'retained',
        reason: 'retained',
        imported_by: 'retained',
        mapped_by: 'retained',
        resolved_by: 'retained',
        dismissed_by: 'retained',
        noted_order_ids: 'retained',
        fingerprint: 'retained',
        file_hash: 'retained',
      },
      statement_layout: { saved_by: 'remains' },
      order_quote: { member_id: 'erased', pay_method: 'erased', currency: 'erased', vesting: 'erased' },
    },
    parts: {
      orders: { isList: true, read: readOrders },
      withdrawals: { isList: true, read: readWithdrawals },
    },
    retains: {
      orders: async (db, { id }) => (await listOrdersOfMember(db, id, {}, { limit: 1 })).rows.length > 0,
      handledOrders: (db, { id }) => isOrderOfficer(db, id),
    },
    erase: async (db, { id }) => {
      await deleteQuotesOfMember(db, id)
      await unassignOrdersOf(db, id)
      await retainOrderOfficer(db, id)
    },
  },
  cleanUp: {
    oldQuotes: ({ db }) => deleteOldQuotes(db),
    ordersOfErased: async ({ db }) => {
      await deleteOrdersOfErased(db, retention)
      await deleteOfficersErasedBefore(db, retention)
    },
    oldStatementLines: ({ db }) => deleteOldLines(db, retention),
  },
  workers: [startDeadlineWorker],
} satisfies Module

async function* readOrders({ db, member }: Source) {
  for await (const row of eachPage((after) =>
    listOrdersOfMember(db, member.id, {}, { limit: pageSize, after }),
  ))
    yield {
      ...presentOrder(row),
      steps: await listShownSteps(db, row, true),
      deliveries: (await listDeliveriesOfOrder(db, row.id)).map(presentDelivery),
      arrivedOnChain: await listArrivedFor(db, row.id),
      notes: await exportNotesOf(db, { kind: 'order', id: row.id }),
    }
}

async function* readWithdrawals({ db, member }: Source) {
  for await (const row of eachPage((after) =>
    listWithdrawalsOfMember(db, member.id, { limit: pageSize, after }),
  )) {
    const { id: _, ...said } = presentWithdrawal(row)
    yield { order: shownReference(row.order_reference), ...said }
  }
}
