import { randomBytes } from 'node:crypto'
import type { Api, EndpointName } from '#contract/api.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { decideWithdrawal } from '#api/orders/withdrawals/withdrawal.queries.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { aWithdrawalRow } from '#tests/withdrawals.ts'
import type { Scene } from './requests.ts'

/** Staff cannot decide on their own withdrawal. */
async function aWithdrawal({ started, actor, owner }: Scene) {
  const member = owner.id === actor.id ? await aSignedInMember(started) : owner
  const { id } = await anOrder(started, member.id, { txId: `0x${randomBytes(32).toString('hex')}` })
  return aWithdrawalRow(started, id)
}

export const withdrawalRequests = {
  getWithdrawalRight: async ({ started, owner }) => ({
    params: { id: (await anOrder(started, owner.id)).id },
  }),
  requestWithdrawal: async ({ started, owner }) => {
    started.services.config.withdrawals = { days: 14, timeZone: 'UTC', tradedSince: null }
    return { params: { id: (await anOrder(started, owner.id)).id }, body: {} }
  },
  listConsoleWithdrawals: async () => ({ query: { flag: 'overdue' as const, sort: 'due' as const } }),
  exportConsoleWithdrawals: async () => ({}),
  exportRefundAccounts: async () => ({}),
  getConsoleWithdrawal: async ({ started, owner }) => ({
    params: { id: (await anOrder(started, owner.id)).id },
  }),
  openRefund: async ({ started, owner }) => ({
    params: { id: (await anOrder(started, owner.id, { paidAmount: '1' })).id },
    body: { reason: 'Paid too little.' },
  }),
  acceptWithdrawal: async (scene) => ({ params: { id: (await aWithdrawal(scene)).id }, body: {} }),
  refuseWithdrawal: async (scene) => ({
    params: { id: (await aWithdrawal(scene)).id },
    body: { reason: 'Bought for a company.' },
  }),
  closeWithdrawal: async (scene) => ({
    params: { id: (await aWithdrawal(scene)).id },
    body: { reason: 'Nothing arrived.' },
  }),
  recordRefund: async (scene) => {
    const { id } = await aWithdrawal(scene)
    await decideWithdrawal(scene.started.services.db, id, {
      state: 'accepted',
      by: scene.actor.id,
      reason: '',
    })
    return {
      params: { id },
      body: {
        amount: '1.5',
        txId: `0x${randomBytes(32).toString('hex')}`,
        paidOn: new Date().toISOString().slice(0, 10),
        // No payment was recorded as received.
        reason: 'Seen in the explorer.',
      },
    }
  },
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
