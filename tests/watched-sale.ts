import { api } from '#contract/api.ts'
import type { ChainPayment } from '#contract/chain-payments.ts'
import { aChain } from './a-chain.ts'
import { aSignedInMember, type TestMember } from './builders.ts'
import { aBuyer, anOrderOf } from './orders.ts'
import { startApi, type TestApi } from './setup/start-api.ts'

const settings = {
  CHAIN_BTC_URL: 'http://127.0.0.1:9',
  CHAIN_BTC_XPUB:
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  CHAIN_BTC_CONFIRMATIONS: '3',
}

/** An order page and the chain that it is paid on, with finance's view of it. */
export async function aWatchedSale(more: Record<string, string> = {}) {
  const started = await startApi({ ...settings, ...more })
  const buyer = await aBuyer(started)
  const officer = await aSignedInMember(started, { manage_finance: 1 })
  const chain = aChain(started)
  chain.mine(5)
  await chain.look()
  const paymentOf = async (id: string): Promise<ChainPayment> => {
    const { body } = await started.call(api.getChainPayment, { params: { id } }, { token: buyer.token })
    return body.payment!
  }
  const order = async (amount = '0.5') => (await anOrderOf(started, buyer, 'BTC', amount))._id
  const detail = async (id: string) =>
    (await started.call(api.getConsoleOrder, { params: { id } }, { token: officer.token })).body
  const actions = async (id: string) =>
    (
      await started.services.db
        .selectFrom('audit_entry')
        .select(['action', 'actor_id'])
        .where('subject_id', '=', id)
        .where('action', 'in', ['order-payment-seen', 'order-payment-gone', 'order-completed-by-chain'])
        .orderBy('id')
        .execute()
    ).map(({ action, actor_id }) => `${action} ${actor_id ?? 'by the program'}`)
  return { started, buyer, officer, chain, paymentOf, order, detail, actions }
}

export const listFlagged = async (
  started: TestApi,
  officer: TestMember,
  flag: 'ready_to_complete' | 'payment_gone',
) =>
  (await started.call(api.listConsoleOrders, { query: { flag } }, { token: officer.token })).body.map(
    ({ id, flags }) => ({ id, isFlagged: flags.includes(flag) }),
  )
