import type { Api, EndpointName } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { openHold } from '#api/money/payouts/hold.queries.ts'
import { markExported, setTransaction } from '#api/money/payouts/payout.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { aDueDelivery, storeRun, storeTransfer } from '#tests/payouts.ts'
import { finance1, finance2, type Expectation } from './permissions.ts'
import type { Scene } from './requests.ts'

export const payoutExpectations = {
  listPayouts: { call: 'GET admin/payouts', success: 200, may: finance1 },
  exportPayouts: { call: 'GET admin/payouts/csv', success: 200, may: finance1 },
  getPayout: { call: 'GET admin/payouts/:id', success: 200, may: finance1 },
  previewPayout: { call: 'POST admin/payouts/preview', success: 200, may: finance1 },
  freezePayout: { call: 'POST admin/payouts', success: 201, may: finance2 },
  approvePayout: { call: 'POST admin/payouts/:id/approve', success: 200, may: finance2 },
  exportPayoutFile: { call: 'GET admin/payouts/:id/export/:format', success: 200, may: finance2 },
  recordPayoutTransactions: { call: 'POST admin/payouts/:id/transactions', success: 200, may: finance2 },
  confirmPayoutItems: { call: 'POST admin/payouts/:id/confirm', success: 200, may: finance2 },
  cancelPayout: { call: 'POST admin/payouts/:id/cancel', success: 200, may: finance2 },
  getPayoutHold: { call: 'GET admin/payouts/hold', success: 200, may: finance1 },
  holdPayouts: { call: 'POST admin/payouts/hold', success: 200, may: finance2 },
  resumePayouts: { call: 'POST admin/payouts/hold/release', success: 200, may: finance2 },
  listPayoutTransfers: { call: 'GET admin/payout-transfers', success: 200, may: finance1 },
  assignPayoutTransfer: { call: 'POST admin/payout-transfers/:id/assign', success: 200, may: finance2 },
  dismissPayoutTransfer: { call: 'POST admin/payout-transfers/:id/dismiss', success: 200, may: finance2 },
} satisfies { [Name in EndpointName]?: Expectation }

/** An earlier request may have put payouts on hold. */
const endHolds = ({ services }: Scene['started']) => services.db.deleteFrom('payout_hold').execute()

/** Requests to withdraw turn the right on, and nothing is paid while an order can still be withdrawn from. */
const endPeriods = ({ services }: Scene['started']): void => {
  services.config.withdrawals = { ...services.config.withdrawals, days: 0 }
}

/** A run that an officer froze and that pays neither of those in the scene. */
async function aRunOf({ started }: Scene, needsTwo = false) {
  await endHolds(started)
  endPeriods(started)
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  return storeRun(started, officer.id, { needsTwo })
}

async function anExportedRunOf(scene: Scene) {
  const run = await aRunOf(scene)
  await markExported(scene.started.services.db, run.id)
  return run
}

export const payoutRequests = {
  listPayouts: async (scene) => {
    await aRunOf(scene)
    return {}
  },
  exportPayouts: async () => ({}),
  getPayout: async (scene) => ({ params: { id: (await aRunOf(scene)).id } }),
  previewPayout: async ({ started }) => ({ body: { deliveryIds: [(await aDueDelivery(started)).id] } }),
  freezePayout: async ({ started }) => {
    await endHolds(started)
    endPeriods(started)
    return { body: { deliveryIds: [(await aDueDelivery(started)).id], total: '100' } }
  },
  approvePayout: async (scene) => {
    const { id, hash } = await aRunOf(scene, true)
    return { params: { id }, body: { hash } }
  },
  exportPayoutFile: async (scene) => ({ params: { id: (await aRunOf(scene)).id, format: 'csv' as const } }),
  recordPayoutTransactions: async (scene) => {
    const { id, reference } = await anExportedRunOf(scene)
    return { params: { id }, body: { lines: [{ reference, txId: 'ab'.repeat(32) }] } }
  },
  confirmPayoutItems: async (scene) => {
    const { id, itemId, deliveryId, officerId } = await anExportedRunOf(scene)
    await setTransaction(scene.started.services.db, [itemId], 'ab'.repeat(32), officerId)
    return { params: { id }, body: { deliveryIds: [deliveryId] } }
  },
  cancelPayout: async (scene) => ({
    params: { id: (await aRunOf(scene)).id },
    body: { reason: 'Nothing was sent.' },
  }),
  getPayoutHold: async () => ({}),
  holdPayouts: async () => ({
    body: { since: new Date(Date.now() - 60_000).toISOString(), note: 'A restored database.' },
  }),
  resumePayouts: async ({ started, actor }) => {
    await openHold(started.services.db, { since: new Date().toISOString(), note: 'Check.', by: actor.id })
    return { body: { note: 'The wallet was compared.' } }
  },
  listPayoutTransfers: async () => ({}),
  assignPayoutTransfer: async ({ started }) => {
    const delivery = await aDueDelivery(started)
    const id = await storeTransfer(started, delivery)
    return { params: { id }, body: { deliveryId: delivery.id, reason: 'Sent by hand.' } }
  },
  dismissPayoutTransfer: async ({ started }) => ({
    params: {
      id: await storeTransfer(started, { address: sampleTokenAddress(crypto.randomUUID()), amount: '5' }),
    },
    body: { reason: 'Moved to another wallet.' },
  }),
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
