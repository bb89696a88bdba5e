import type { Api, EndpointName } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { aDueDelivery } from '#tests/payouts.ts'
import { finance1, finance2, signedIn, owner, type Expectation } from './permissions.ts'
import type { Scene } from './requests.ts'

export const deliveryExpectations = {
  getOrderDeliveries: { call: 'GET icotx/:id/deliveries', success: 200, may: [...owner, ...finance1] },
  listOwnDeliveries: { call: 'GET deliveries', success: 200, may: signedIn },
  listDeliveries: { call: 'GET admin/deliveries', success: 200, may: finance1 },
  exportDeliveries: { call: 'GET admin/deliveries/csv', success: 200, may: finance1 },
  exportDeliveryAccounts: { call: 'GET admin/deliveries/accounting', success: 200, may: finance1 },
  listDeliveryRounds: { call: 'GET admin/deliveries/rounds', success: 200, may: finance1 },
  readDeliveryTotals: { call: 'GET admin/deliveries/totals', success: 200, may: finance1 },
  holdDelivery: { call: 'POST admin/deliveries/:id/hold', success: 200, may: finance2 },
  releaseDelivery: { call: 'POST admin/deliveries/:id/release', success: 200, may: finance2 },
  createOrderDeliveries: { call: 'POST admin/orders/:id/deliveries', success: 200, may: finance2 },
} satisfies { [Name in EndpointName]?: Expectation }

const reason = 'The member asked us to wait.'

export const deliveryRequests = {
  getOrderDeliveries: async ({ started, owner: { id } }) => ({
    params: { id: (await aDueDelivery(started, { memberId: id })).order_id },
  }),
  listOwnDeliveries: async () => ({}),
  listDeliveries: async ({ started }) => {
    await aDueDelivery(started)
    return { query: { state: 'due' as const, sort: 'due' as const } }
  },
  exportDeliveries: async () => ({}),
  exportDeliveryAccounts: async () => ({}),
  listDeliveryRounds: async () => ({}),
  readDeliveryTotals: async () => ({}),
  holdDelivery: async ({ started }) => ({
    params: { id: (await aDueDelivery(started)).id },
    body: { reason },
  }),
  releaseDelivery: async ({ started }) => {
    const { id } = await aDueDelivery(started)
    await started.services.db
      .updateTable('delivery')
      .set({ held_at: new Date(), hold_reason: reason })
      .where('id', '=', id)
      .execute()
    return { params: { id }, body: { reason } }
  },
  createOrderDeliveries: async ({ started }) => {
    const { id } = await aSignedInMember(started)
    const order = await anOrder(started, id, { fabQty: '10', status: 'completed' })
    return { params: { id: order.id }, body: { reason } }
  },
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
