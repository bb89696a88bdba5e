import { shownReference } from '#api/platform/text/order-reference.ts'
import { randomBytes, randomInt } from 'node:crypto'
import { api, type Api, type EndpointName } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { updateOrderRow } from '#api/money/orders/order.queries.ts'
import { decideWithdrawal } from '#api/money/orders/withdrawals/withdrawal.queries.ts'
import { readTerms } from '#api/money/sale/read-sale.ts'
import { endProposal, insertProposal } from '#api/money/sale/sale-proposal.queries.ts'
import { findSale } from '#api/money/sale/sale.queries.ts'
import { keepVersion } from '#api/people/settings/keep-version.ts'
import { findLatestVersion } from '#api/people/settings/setting-version.queries.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { flattenSale } from '#contract/money/flat-sale.ts'
import { aNote, anEmail, anOrder, aSale, aSignedInMember, saleSettings } from '#tests/builders.ts'
import type { Scene } from './requests.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { aWithdrawalRow } from '#tests/withdrawals.ts'

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
  assignOrder: async (scene) => ({
    params: { id: (await anothersOrder(scene)).id },
    body: { to: null, from: null },
  }),
  assignOrders: async (scene) => ({
    body: { isPreview: false, rows: [{ id: (await anothersOrder(scene)).id }], to: null },
  }),
  listOrderColleagues: async () => ({}),
  listOrderReaders: async (scene) => ({ params: { id: (await anothersOrder(scene)).id } }),
  addOrderNote: async (scene) => ({
    params: { id: (await anothersOrder(scene)).id },
    body: { text: 'Called back.' },
  }),
  removeOrderNote: async (scene) => {
    const { id } = await anothersOrder(scene)
    return { params: { id, noteId: await aNote(scene.started, scene.actor.id, { kind: 'order', id }) } }
  },
  cancelOrders: async (scene) => ({
    body: { isPreview: false, rows: [{ ...(await anothersOrder(scene)), basis: 'nothing' }] },
  }),
  extendOrderDeadlines: async (scene) => ({
    body: {
      isPreview: false,
      rows: [await anothersOrder(scene)],
      payBefore: new Date(Date.now() + HOUR).toISOString(),
      reason: 'A bank holiday.',
    },
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

/** Staff cannot decide on their own order. */
async function anothersOrder({ started, actor, owner }: Scene) {
  const member = owner.id === actor.id ? await aSignedInMember(started) : owner
  const order = await anOrder(started, member.id, { receivingAddress: 'somewhere' })
  return { id: order.id, version: order.updated_at.toISOString() }
}

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
      // Different for each line, because an equal text or amount makes it look like a payment that is already recorded.
      reference: `Payment ${randomBytes(8).toString('hex')}`,
      tx_id: '',
      amount: `1.${randomInt(1_000_000, 9_999_999)}`,
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

const aRecord = {
  name: 'Sample coin',
  fullName: brand.name,
  contact: 'hello@example.org',
  coins: [{ symbol: 'SMP' }],
  docs: [],
}

async function aProposal({ started }: Scene): Promise<string> {
  await aSale(started)
  const { db } = started.services
  const proposer = await aSignedInMember(started, { manage_coins: 2 })
  await endProposal(db, { by: null, outcome: 'overtaken' })
  const settings = { ...(await readTerms(db)), quoteMinutes: 20 }
  await insertProposal(db, { by: proposer.id, settings, changes: [], restoredId: null })
  // Where staff need a factor, the author's approval would not count, which is not what this test is about.
  const { id } = await db
    .selectFrom('sale_proposal')
    .select('id')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return id
}

async function aVersion({ started }: Scene): Promise<string> {
  const { db } = started.services
  await aSale(started)
  const before = flattenSale(await readTerms(db))
  const by = await aSignedInMember(started, { manage_coins: 2 })
  await keepVersion(db, { subject: 'sale', by: by.id, before, after: { ...before, quoteMinutes: '30' } })
  return (await findLatestVersion(db, 'sale'))!.id
}

/** The first round, which a sale always has. */
async function aRound(started: Scene['started']): Promise<string> {
  await aSale(started)
  return (await readTerms(started.services.db)).rounds[0]!.id
}

/** The sale settings and the app profile, their history, and pending proposals. */
export const saleRequests = {
  getAppRecord: async () => ({}),
  updateAppRecord: async () => ({ body: aRecord }),
  getSaleSettings: async () => ({}),
  updateSaleSettings: async () => ({ body: saleSettings() }),
  listSaleRounds: async ({ started }) => {
    await aRound(started)
    return {}
  },
  getSaleRound: async ({ started }) => ({ params: { id: await aRound(started) } }),
  listRoundGuests: async ({ started }) => ({ query: { round: await aRound(started) } }),
  exportRoundGuests: async () => ({}),
  changeRoundGuests: async ({ started }) => ({
    params: { id: await aRound(started) },
    body: { add: [anEmail()], remove: [] },
  }),
  confirmSaleProposal: async (scene) => ({ params: { id: await aProposal(scene) }, body: {} }),
  declineSaleProposal: async (scene) => ({
    params: { id: await aProposal(scene) },
    body: { reason: 'The address is not ours.' },
  }),
  listFourEyes: async () => ({}),
  listAddressChanges: async () => ({}),
  listSettingVersions: async () => ({ query: { field: 'rate' as const, from: '2036-05-01' } }),
  exportSettingVersions: async () => ({ query: { subject: 'sale' as const } }),
  getSettingVersion: async (scene) => ({ params: { id: await aVersion(scene) } }),
  restoreSettingVersion: async (scene) => {
    const id = await aVersion(scene)
    const sale = await findSale(scene.started.services.db)
    return { params: { id }, body: { lastUpdated: sale!.updated_at.toISOString() } }
  },
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
