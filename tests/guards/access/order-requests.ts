import { randomBytes } from 'node:crypto'
import { api, type Api, type EndpointName } from '#contract/api.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { HOUR } from '#contract/durations.ts'
import { shownReference } from '#api/orders/present-order.ts'
import { updateOrderRow } from '#api/orders/order.queries.ts'
import { anOrder, aSale, aSignedInMember } from '#tests/builders.ts'
import type { Scene } from './requests.ts'
import { ownAddress } from '#tests/own-chain.ts'

const isOwn = ({ actor, owner }: Scene) => actor.id === owner.id

export const orderRequests = {
  createOrder: async (scene) => {
    // The caller's identity is approved, so that only a missing right can cause a rejection.
    await anApproval(scene)
    await aSale(scene.started)
    const order = { payMethod: 'ETH', amount: '2' }
    if (!isOwn(scene)) return { body: { ...order, memberId: scene.owner.id } }
    const quote = await scene.started.call(api.createQuote, { body: order }, { token: scene.actor.token })
    return { body: { quoteId: quote.body.quoteId } }
  },
  getOrder: async ({ started, owner }) => ({ params: { id: (await anOrder(started, owner.id)).id } }),
  listOrders: async () => ({}),
  findOrders: async ({ owner }) => ({ body: { memberId: owner.id } }),
  // Staff cannot decide on their own order.
  updateOrder: async ({ started, actor, owner }) => ({
    body: {
      _id: (await anOrder(started, owner.id === actor.id ? (await aSignedInMember(started)).id : owner.id))
        .id,
      status: 'completed' as const,
      paidAmount: '1.5',
      reason: 'Seen in the account.',
    },
  }),
  extendOrderDeadline: async ({ started, actor, owner }) => ({
    params: {
      id: (
        await anOrder(started, owner.id === actor.id ? (await aSignedInMember(started)).id : owner.id, {
          receivingAddress: 'somewhere',
        })
      ).id,
    },
    body: { payBefore: new Date(Date.now() + HOUR).toISOString(), reason: 'A bank holiday.' },
  }),
  listConsoleOrders: async () => ({ query: { status: 'pending' as const, sort: '-amount' as const } }),
  exportConsoleOrders: async () => ({}),
  exportOrderAccounts: async () => ({}),
  readOrderTotals: async () => ({}),
  importOrderPayments: async () => ({
    body: { file: Buffer.from('reference,txId,amount').toString('base64') },
  }),
  listStatementLines: async () => ({}),
  assignStatementLine: async ({ started, actor, owner }) => {
    const member = owner.id === actor.id ? (await aSignedInMember(started)).id : owner.id
    const order = await anOrder(started, member)
    const reference = shownReference(order.reference)
    return {
      params: { id: await aStatementLine(started, actor.id) },
      body: { reference, reason: 'The name matches.' },
    }
  },
  dismissStatementLine: async ({ started, actor }) => ({
    params: { id: await aStatementLine(started, actor.id) },
    body: { reason: 'Interest of the bank.' },
  }),
  reopenStatementLine: async ({ started, actor }) => ({
    params: { id: await aStatementLine(started, actor.id, 'dismissed') },
    body: { reason: 'It may be a payment.' },
  }),
  getConsoleOrder: async ({ started, owner }) => ({ params: { id: (await anOrder(started, owner.id)).id } }),
  declineOrderCompletion: async ({ started, actor, owner }) => {
    const { id } = await anOrder(
      started,
      owner.id === actor.id ? (await aSignedInMember(started)).id : owner.id,
    )
    await updateOrderRow(started.services.db, id, {}, { by: actor.id, reason: '' })
    return { params: { id }, body: { reason: 'The payment was not found.' } }
  },
  getOrderPayment: async ({ started, owner }) => ({
    params: { id: (await anOrder(started, owner.id)).id },
  }),
  getChainPayment: async ({ started, owner }) => ({
    params: { id: (await anOrder(started, owner.id)).id },
  }),
  getOrderChainPayment: async ({ started, owner }) => ({
    params: { id: (await anOrder(started, owner.id)).id },
  }),
  listChainMonitors: async () => ({}),
  reportPayment: async ({ started, owner }) => ({
    params: { id: (await anOrder(started, owner.id)).id },
    body: { txId: `0x${randomBytes(32).toString('hex')}` },
  }),
  cancelOrder: async ({ started, owner }) => ({
    params: { id: (await anOrder(started, owner.id)).id },
    body: null,
  }),
  setTokenAddress: async ({ started, owner }) => ({
    params: { id: (await anOrder(started, owner.id)).id },
    body: { fabAddress: ownAddress },
  }),

  createQuote: async (scene) => {
    await anApproval(scene)
    await aSale(scene.started)
    return { body: { payMethod: 'ETH', amount: '2' } }
  },
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }

async function aStatementLine(
  { services }: Scene['started'],
  importedBy: string,
  state: 'open' | 'dismissed' = 'open',
): Promise<string> {
  const { id } = await services.db
    .insertInto('statement_line')
    .values({
      fingerprint: randomBytes(32).toString('hex'),
      state,
      line: 2,
      problem: 'unknown_order',
      // Different for each line, because an equal text makes it look like a payment that is already recorded.
      reference: `Payment ${randomBytes(8).toString('hex')}`,
      tx_id: '',
      amount: '1.5',
      currency: '',
      sender: '',
      address: '',
      imported_by: importedBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function anApproval({ started, actor }: Scene): Promise<void> {
  await started.services.db
    .insertInto('kyc_application')
    .values({ member_id: actor.id, full_name: 'Sample Person', email: actor.email, status: 'approved' })
    .execute()
}
