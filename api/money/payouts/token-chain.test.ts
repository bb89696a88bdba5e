import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { tokenCoin } from '#contract/money/chain-payments.ts'
import { sampleEthereumAddress } from '#demo/addresses.ts'
import { eventsOf, subscribe } from '#tests/deliveries.ts'
import {
  aDueDelivery,
  aRun,
  cancel,
  confirm,
  dueParts,
  exportFile,
  freeze,
  readRun,
  record,
  storeRunOf,
  storeTransfer,
} from '#tests/payouts.ts'
import { startScriptedBitcoin } from '#tests/setup/scripted-bitcoin.ts'
import { as } from '#tests/step-up.ts'
import {
  aScriptedToken,
  anInstallationThatReads,
  confirmations,
  pollToken,
  readTokenFrom,
} from '#tests/watched-token.ts'
import { deleteOldTransfers } from '../chains/transfer.queries.ts'
import { markExported } from './payout.queries.ts'
import { scriptsOf } from './watch-transfers.ts'

test('a transfer proves its delivery, which is confirmed when it is deep enough', async () => {
  const { on, node, exported, poll, itemOf, one } = await aScriptedToken()
  await subscribe(on)
  const run = await exported()
  const txId = node.pay([{ to: run.address, amount: '100' }])
  await poll()
  expect(await itemOf(run.id)).toMatchObject({ state: 'in_run', height: null })
  node.mine()
  await poll()
  expect(await itemOf(run.id)).toMatchObject({ state: 'sent', txId, sentBy: null })
  node.mine(confirmations - 2)
  await poll()
  expect((await itemOf(run.id)).state).toBe('sent')
  node.mine()
  await poll()
  await poll()
  const done = await readRun(on, one, run.id)
  expect(done).toMatchObject({
    state: 'done',
    watch: { confirmationsNeeded: confirmations, isReached: true },
  })
  expect(done.list[0]).toMatchObject({ state: 'confirmed', confirmedBy: null })
  const events = await eventsOf(on, done.list[0]!.orderId)
  expect(events.map(({ state }) => state)).toEqual(['sent', 'confirmed'])
  const mails = await on.services.db.selectFrom('mail').select('kind').execute()
  expect(mails.filter(({ kind }) => kind === 'order-delivery-confirmed')).toHaveLength(1)
})

test('a confirmation is taken back with its block, and comes back with another one', async () => {
  const { on, node, exported, poll, itemOf, listed } = await aScriptedToken()
  await subscribe(on)
  const run = await exported()
  node.mine()
  await poll()
  const txId = node.pay([{ to: run.address, amount: '100' }])
  node.mine(confirmations)
  await poll()
  expect((await itemOf(run.id)).state).toBe('confirmed')
  node.reorganise(confirmations, { isBackInPool: true })
  await poll()
  expect(await itemOf(run.id)).toMatchObject({ state: 'sent', txId, height: null })
  // It may still arrive, so it has not disappeared.
  expect(await listed()).toEqual([])
  node.mine(confirmations)
  await poll()
  const again = await itemOf(run.id)
  expect(again).toMatchObject({ state: 'confirmed', txId })
  const events = await eventsOf(on, again.orderId)
  expect(events.map(({ state }) => state)).toEqual(['sent', 'confirmed', 'reverted', 'confirmed'])
})

test.each([{ hasFailed: false }, { hasFailed: true }])(
  'what disappears with its block stays sent and is listed, until another transaction replaces it (%o)',
  async ({ hasFailed }) => {
    const { on, node, exported, poll, itemOf, listed, one } = await aScriptedToken()
    const run = await exported()
    node.mine()
    await poll()
    const lost = node.pay([{ to: run.address, amount: '100' }])
    node.mine(confirmations)
    await poll()
    node.reorganise(confirmations, { hasFailed })
    await poll()
    expect(await itemOf(run.id)).toMatchObject({ state: 'sent', txId: lost })
    expect(await listed()).toMatchObject([{ problem: 'gone', txId: lost, deliveries: [] }])
    const txId = node.pay([{ to: run.address, amount: '100' }])
    node.mine(confirmations)
    await poll()
    // Another transaction is not taken for the one that was recorded.
    expect(await itemOf(run.id)).toMatchObject({ state: 'sent', txId: lost })
    const recorded = await record(on, one, run.id, [{ reference: run.reference, txId }])
    expect(recorded.body.lines[0]).toMatchObject({ isDone: true })
    await poll()
    expect(await itemOf(run.id)).toMatchObject({ state: 'confirmed', txId })
    expect(await listed()).toEqual([])
  },
)

test('of one transaction, each transfer proves its own delivery, and what does not match is listed', async () => {
  const { node, exported, poll, stateOf, listed } = await aScriptedToken()
  const shared = sampleEthereumAddress('shared')
  const runs = [
    await exported({ amount: '1.00000001' }),
    await exported({ address: shared, amount: '2' }),
    await exported({ address: shared, amount: '3' }),
  ]
  const unknown = sampleEthereumAddress('unknown')
  node.pay([
    { to: shared, amount: '3' },
    { to: runs[0]!.address, amount: '1.000000010000000001' },
    { to: unknown, amount: '2' },
    { to: shared, amount: '2' },
    { to: runs[0]!.address, amount: '1.00000001', from: `0x${'11'.repeat(20)}` },
  ])
  node.mine(confirmations)
  await poll()
  expect(await Promise.all(runs.map(({ id }) => stateOf(id)))).toEqual(['in_run', 'confirmed', 'confirmed'])
  expect((await listed()).map(({ address, amount, problem }) => [address, amount, problem])).toEqual([
    [unknown, '2', 'unmatched'],
    [runs[0]!.address, '1.000000010000000001', 'unmatched'],
  ])
})

test('if two runs match, neither is chosen, unless finance recorded the transaction', async () => {
  const { on, node, exported, poll, stateOf, listed, one } = await aScriptedToken()
  const address = sampleEthereumAddress('both')
  const [first, second] = [await exported({ address }), await exported({ address })]
  const txId = node.pay([{ to: address, amount: '100' }])
  node.mine(confirmations)
  await poll()
  expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['in_run', 'in_run'])
  expect(await listed()).toMatchObject([{ problem: 'ambiguous', deliveries: [{}, {}] }])
  expect((await cancel(on, one, first.id)).problem.code).toBe('transfer_seen')
  await record(on, one, second.id, [{ reference: second.reference, txId }])
  await poll()
  expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['in_run', 'confirmed'])
  expect(await listed()).toEqual([])
})

test('of equal parts of one order, a transfer proves the first of its run, and holds the others if it may have paid them', async () => {
  const { on, node, token, poll, listed, one } = await aScriptedToken()
  const address = sampleEthereumAddress('parts')
  const parts = await dueParts(on, 4, { address, amount: '25' })
  const orderId = parts[0]!.order.id
  const states = async () =>
    (await on.call(api.getOrderDeliveries, { params: { id: orderId } }, as(one))).body.deliveries.map(
      ({ state, hold }) => hold ?? state,
    )
  const pay = async () => {
    node.pay([{ to: address, amount: '25' }])
    node.mine()
    await poll()
  }
  const [first, second] = [
    await storeRunOf(on, one.id, parts.slice(0, 2), { token }),
    await storeRunOf(on, one.id, parts.slice(2, 3), { token }),
  ]
  await markExported(on.services.db, first.id)
  await pay()
  expect(await states()).toEqual(['sent', 'in_run', 'in_run', 'due'])
  await markExported(on.services.db, second.id)
  await pay()
  expect(await states()).toEqual(['sent', 'in_run', 'in_run', 'seen_on_chain'])
  const [transfer] = await listed()
  expect(transfer!.problem).toBe('ambiguous')
  // The treasury may also have paid the part that is in no run.
  expect(transfer!.deliveries.map(({ tranche, dueAt }) => [tranche, dueAt])).toEqual(
    parts.slice(1).map(({ tranche, due_at: dueAt }) => [tranche, dueAt.toISOString()]),
  )
  const body = { deliveryId: parts[2]!.id, reason: 'The wallet shows the second run.' }
  await on.call(api.assignPayoutTransfer, { params: { id: transfer!.id }, body }, as(one))
  expect(await states()).toEqual(['sent', 'in_run', 'sent', 'due'])
  await pay()
  expect(await states()).toEqual(['confirmed', 'sent', 'sent', 'due'])
  node.mine(confirmations)
  await poll()
  expect(await states()).toEqual(['confirmed', 'confirmed', 'confirmed', 'due'])
})

test('what finance records never replaces what the network shows', async () => {
  const { on, node, exported, poll, itemOf, listed, one } = await aScriptedToken()
  const [run, misread] = [await exported(), await exported()]
  const other = `0x${'1'.repeat(64)}`
  await record(on, one, misread.id, [{ reference: misread.reference, txId: other }])
  const txId = node.pay([
    { to: run.address, amount: '100' },
    { to: misread.address, amount: '100' },
  ])
  node.mine()
  await poll()
  const [refused] = (await record(on, one, run.id, [{ reference: run.reference, txId: other }])).body.lines
  expect(refused).toMatchObject({ isDone: false })
  expect(await itemOf(run.id)).toMatchObject({ state: 'sent', txId })
  expect(await itemOf(misread.id)).toMatchObject({ state: 'sent', txId: other })
  expect(await listed()).toMatchObject([{ address: misread.address, problem: 'unmatched' }])
  const [proved] = (
    await record(on, one, run.id, [{ reference: run.reference, txId: `0x${'2'.repeat(64)}` }])
  ).body.lines
  expect(proved).toMatchObject({ isDone: false, problem: 'proved' })
  expect((await confirm(on, one, run.id, [run.deliveryId])).status).toBe(409)
})

test('an assigned delivery has no file that could pay it again', async () => {
  const { on, node, token, poll, listed, one } = await aScriptedToken()
  const delivery = await aDueDelivery(on, { address: sampleEthereumAddress('by hand') })
  node.pay([{ to: delivery.address, amount: '100' }])
  node.mine()
  await pollToken(on, token)
  const { id } = (await listed())[0]!
  const body = { deliveryId: delivery.id, reason: 'Paid by hand.' }
  await on.call(api.assignPayoutTransfer, { params: { id }, body }, as(one))
  const runs = (await on.call(api.listPayouts, {}, as(one))).body
  expect(runs).toMatchObject([{ state: 'sent', sent: 1 }])
  expect((await exportFile(on, one, runs[0]!.id)).status).toBe(409)
  node.mine(confirmations)
  await poll()
  expect((await readRun(on, one, runs[0]!.id)).state).toBe('done')
})

test('while the node is away, nothing changes and no exported run is canceled', async () => {
  const { on, node, exported, poll, stateOf, watch, one } = await aScriptedToken()
  const run = await exported()
  node.mine()
  await poll()
  node.setDown(true)
  expect(await poll()).toBe('failed')
  expect((await watch()).failure).toBe('unreachable')
  expect((await cancel(on, one, run.id)).problem.code).toBe('network_unread')
  node.pay([{ to: run.address, amount: '100' }])
  node.mine(confirmations)
  node.setDown(false)
  await poll()
  expect(await stateOf(run.id)).toBe('confirmed')
})

test.each([
  ['no contract', { code: '0x' }, 'wrong_token'],
  ['other decimal places', { decimals: 6 }, 'wrong_token'],
] as const)('a token with %s stops the watcher and every freeze', async (_, change, failure) => {
  const { on, node, exported, poll, stateOf, watch, one } = await aScriptedToken()
  Object.assign(node.token, change)
  const run = await exported()
  node.pay([{ to: run.address, amount: '100' }])
  node.mine(confirmations)
  expect(await poll()).toBe('failed')
  expect((await watch()).failure).toBe(failure)
  expect(await stateOf(run.id)).toBe('in_run')
  const { id } = await aDueDelivery(on)
  expect((await freeze(on, one, [id], '100')).problem.code).toBe('wrong_token')
})

test('a node of another network stops the watcher and every freeze', async () => {
  const { on, node, poll, watch, one } = await aScriptedToken()
  node.lie((method, result) => (method === 'eth_chainId' ? '0x1' : result))
  expect(await poll()).toBe('failed')
  expect((await watch()).failure).toBe('wrong_network')
  const { id } = await aDueDelivery(on)
  expect((await freeze(on, one, [id], '100')).problem.code).toBe('wrong_token')
})

type Log = { blockHash: string; data: string; removed: boolean; topics: string[] }
test.each<[string, (log: Log) => unknown, string]>([
  ['of another block', (log) => ({ ...log, blockHash: `0x${'0'.repeat(64)}` }), 'behind'],
  ['that were removed', (log) => ({ ...log, removed: true }), 'behind'],
  ['without a recipient', (log) => ({ ...log, topics: log.topics.slice(0, 2) }), 'not_understood'],
  ['with another kind of amount', (log) => ({ ...log, data: `${log.data}00` }), 'not_understood'],
  ['that are none', () => 'a log', 'not_understood'],
])('events %s are not believed', async (_, change, failure) => {
  const { node, exported, poll, stateOf, watch, listed } = await aScriptedToken()
  const run = await exported()
  node.pay([{ to: run.address, amount: '100' }])
  node.mine(confirmations)
  node.lie((method, result) => (method === 'eth_getLogs' ? (result as Log[]).map(change) : result))
  expect(await poll()).toBe('failed')
  expect((await watch()).failure).toBe(failure)
  expect(await stateOf(run.id)).toBe('in_run')
  expect(await listed()).toEqual([])
  node.lie((_, result) => result)
  await poll()
  expect(await stateOf(run.id)).toBe('confirmed')
})

test('settings of another contract take nothing back, and its transfers prove nothing of the former one', async () => {
  const { on, node, settings, exported, poll, itemOf, one } = await aScriptedToken()
  const [run, open] = [await exported(), await exported()]
  node.pay([{ to: run.address, amount: '100' }])
  node.mine(confirmations)
  await poll()
  const token = readTokenFrom({ ...settings, TOKEN_CONTRACT: `0x${'c1'.repeat(20)}` }, 'ethereum')
  Object.assign(on.services.config, { token })
  node.pay([{ to: open.address, amount: '100' }])
  node.mine(confirmations)
  await pollToken(on, token)
  expect(await itemOf(run.id)).toMatchObject({ state: 'confirmed' })
  expect(await itemOf(open.id)).toMatchObject({ state: 'in_run' })
  // Nothing reads the former contract any more, so finance records and confirms.
  expect((await readRun(on, one, open.id)).watch).toBeNull()
  await record(on, one, open.id, [{ reference: open.reference, txId: `0x${'3'.repeat(64)}` }])
  expect((await confirm(on, one, open.id, [open.deliveryId])).status).toBe(200)
})

test('the first poll goes back to the first export that is not confirmed', async () => {
  const { on, node, exported, poll, stateOf } = await aScriptedToken()
  const run = await exported()
  const day = 86_400_000
  await on.services.db
    .updateTable('payout_run')
    .set({ frozen_at: new Date(Date.now() - 3 * day), first_exported_at: new Date(Date.now() - 2 * day) })
    .execute()
  node.mine(10, new Date(Date.now() - 4 * day))
  node.pay([{ to: run.address, amount: '100' }])
  node.mine(1, new Date(Date.now() - day))
  node.mine(301)
  await poll()
  expect(await stateOf(run.id)).toBe('confirmed')
})

test('however many transfers match nothing, the next one still proves its delivery', async () => {
  const { on, node, exported, poll, stateOf } = await aScriptedToken()
  node.mine()
  await poll()
  await storeTransfer(on, { address: sampleEthereumAddress('an exchange'), amount: '1', height: 0 })
  await sql`insert into chain_transfer (coin, address_id, tx_id, output, amount, height, block_hash, block_at)
    select coin, address_id, tx_id, number, amount, height, block_hash, block_at
    from chain_transfer, generate_series(1, 1100) number`.execute(on.services.db)
  const run = await exported()
  node.pay([{ to: run.address, amount: '100' }])
  node.mine(confirmations)
  await poll()
  expect(await stateOf(run.id)).toBe('confirmed')
})

test('finance is emailed once a day about transfers without a delivery', async () => {
  const { on, node, poll } = await aScriptedToken()
  node.pay([{ to: sampleEthereumAddress('nobody'), amount: '1' }])
  node.mine()
  await poll()
  node.pay([{ to: sampleEthereumAddress('nobody'), amount: '2' }])
  node.mine()
  await poll()
  const mails = await on.services.db.selectFrom('mail').select('kind').execute()
  // One for each of the two officers.
  expect(mails.filter(({ kind }) => kind === 'staff-order-payout-unmatched')).toHaveLength(2)
})

test('if the server ends before the commit, the next poll proves it once', async () => {
  const { on, node, exported, poll, itemOf } = await aScriptedToken()
  const { db } = on.services
  await subscribe(on)
  const run = await exported()
  node.pay([{ to: run.address, amount: '100' }])
  node.mine(confirmations)
  await sql`create function fail_here() returns trigger language plpgsql as
    $$ begin raise exception 'the server ended'; end $$`.execute(db)
  await sql`create trigger fail_here before update on payout_run for each row execute function fail_here()`.execute(
    db,
  )
  await expect(poll()).rejects.toThrow('the server ended')
  expect(await itemOf(run.id)).toMatchObject({ state: 'in_run', txId: '' })
  await sql`drop function fail_here cascade`.execute(db)
  await sql`update chain_watch set lease_until = now()`.execute(db)
  await poll()
  const item = await itemOf(run.id)
  expect(item.state).toBe('confirmed')
  expect((await eventsOf(on, item.orderId)).map(({ state }) => state)).toEqual(['sent', 'confirmed'])
})

test('old transfers are kept while an order has their address', async () => {
  const { on } = await aScriptedToken()
  const { db } = on.services
  const { address } = await aDueDelivery(on, { address: sampleEthereumAddress('kept') })
  const kept = await storeTransfer(on, { address, amount: '100' })
  await storeTransfer(on, { address: sampleEthereumAddress('deleted'), amount: '100' })
  await db
    .updateTable('chain_transfer')
    .set({ changed_at: new Date(0) })
    .execute()
  await deleteOldTransfers(db, 1000)
  const left = await db.selectFrom('chain_transfer').select('id').where('coin', '=', tokenCoin).execute()
  expect(left.map(({ id }) => id)).toEqual([kept])
})

test('on a Bitcoin-like chain of its own, outputs to the addresses of runs are read', async () => {
  const node = await startScriptedBitcoin()
  onTestFinished(() => void node.stop())
  const settings = {
    CHAIN_OWN_URL: node.url,
    CHAIN_OWN_KIND: 'bitcoin',
    CHAIN_OWN_NETWORK: node.network,
    CHAIN_OWN_CONFIRMATIONS: String(confirmations),
    TOKEN_CHAIN: 'OWN',
  }
  const { on, token, one, two, poll, itemOf, stateOf } = await anInstallationThatReads(settings, 'bitcoin')
  // Frozen before the settings named a node.
  Object.assign(on.services.config, { token: { ...token, watch: null } })
  const run = await aRun(on, one)
  await exportFile(on, one, run.id)
  Object.assign(on.services.config, { token })
  node.mine()
  await poll()
  await cancel(on, one, run.id)
  const { address } = run.list[0]!
  const txId = node.pay(scriptsOf(address)[0]!, '100')
  await poll()
  // What waits for a block was sent.
  expect((await cancel(on, two, run.id)).status).toBe(409)
  expect(await stateOf(run.id)).toBe('in_run')
  node.mine()
  await poll()
  expect(await itemOf(run.id)).toMatchObject({ state: 'sent', txId })
  node.mine(confirmations)
  await poll()
  expect(await stateOf(run.id)).toBe('confirmed')
  node.reorganise(confirmations + 1)
  await poll()
  expect(await stateOf(run.id)).toBe('sent')
})
