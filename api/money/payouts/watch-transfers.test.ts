import { expect, onTestFinished, test } from 'vitest'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { sampleEthereumAddress } from '#demo/addresses.ts'
import { cancel, readRun } from '#tests/payouts.ts'
import {
  createToken,
  sendTransaction,
  startEthereumNode,
  testChainId,
  transferManyTokens,
  transferTokens,
  untilMined,
} from '#tests/setup/test-chain.ts'
import { anInstallationThatReads, confirmations } from '#tests/watched-token.ts'

/** A token on a development chain, an installation that reads it, and what the tests do with both. */
async function aWatchedToken({ decimals = 18, isCoin = false } = {}) {
  const node = await startEthereumNode()
  onTestFinished(() => void node.stop())
  const [treasury = '', other = ''] = await node.ask<string[]>('eth_accounts')
  const created = await createToken(node.ask, treasury, 18)
  await node.ask('evm_mine')
  const contract = (await untilMined(node.ask, created)).contractAddress!
  const installation = await anInstallationThatReads({
    CHAIN_ETH_URL: node.url,
    CHAIN_ETH_NETWORK: String(testChainId),
    CHAIN_ETH_CONFIRMATIONS: String(confirmations),
    TOKEN_CHAIN: 'ETH',
    TOKEN_TREASURY: treasury,
    ...(!isCoin && { TOKEN_CONTRACT: contract, TOKEN_DECIMALS: String(decimals) }),
  })
  const address = sampleEthereumAddress(crypto.randomUUID())
  return {
    ...node,
    ...installation,
    treasury,
    other,
    contract,
    address,
    exported: (wanted: { address?: string; amount?: string } = {}) =>
      installation.exported({ address, ...wanted }),
    pay: (to: string, amount: string, from = treasury) =>
      transferTokens(node.ask, { from, contract, to, value: parseDecimal(amount) }),
    async mine(times = 1) {
      for (let left = times; left > 0; left -= 1) await node.ask('evm_mine')
    },
  }
}

const nightly = { tags: ['nightly'], timeout: 120_000 }

test(
  'a transfer proves a delivery, confirms it when it is deep enough, and is taken back with its block',
  nightly,
  async () => {
    const { on, ask, exported, pay, mine, poll, stateOf, address, one } = await aWatchedToken()
    const run = await exported()
    expect(await poll()).toBe('looked')
    expect(await stateOf(run.id)).toBe('in_run')
    const before = await ask('evm_snapshot')
    const txId = await pay(address, '100')
    await poll()
    expect(await stateOf(run.id)).toBe('in_run')
    await mine()
    await poll()
    expect((await readRun(on, one, run.id)).list[0]).toMatchObject({ state: 'sent', txId, sentBy: null })
    await mine(confirmations - 2)
    await poll()
    expect(await stateOf(run.id)).toBe('sent')
    await mine()
    await poll()
    const done = await readRun(on, one, run.id)
    expect(done).toMatchObject({
      state: 'done',
      watch: { confirmationsNeeded: confirmations, isReached: true },
    })
    expect(done.list[0]).toMatchObject({ state: 'confirmed', confirmedBy: null })
    expect(done.list[0]!.height).toBeGreaterThan(0)
    const mails = await on.services.db.selectFrom('mail').select('kind').execute()
    expect(mails.filter(({ kind }) => kind === 'order-delivery-confirmed')).toHaveLength(1)

    await ask('evm_revert', before)
    await mine(confirmations + 3)
    await poll()
    expect(await stateOf(run.id)).toBe('sent')
  },
)

test(
  'of a batch in one transaction, each transfer proves its own delivery, in any order',
  nightly,
  async () => {
    const { ask, exported, mine, poll, stateOf, treasury, contract } = await aWatchedToken()
    const paid = [
      { to: sampleEthereumAddress('a'), amount: '1.00000001' },
      { to: sampleEthereumAddress('b'), amount: '2' },
      { to: sampleEthereumAddress('a'), amount: '3' },
    ]
    const runs = []
    for (const { to, amount } of paid) runs.push(await exported({ address: to, amount }))
    const transfers = paid.toReversed().map(({ to, amount }) => ({ to, value: parseDecimal(amount) }))
    await transferManyTokens(ask, { from: treasury, contract, transfers })
    await mine(confirmations)
    await poll()
    for (const { id } of runs) expect(await stateOf(id)).toBe('confirmed')
  },
)

test('what does not match exactly is listed and proves nothing', nightly, async () => {
  const { exported, pay, mine, poll, stateOf, listed, address, other } = await aWatchedToken()
  const run = await exported()
  await pay(address, '99.999999999999999999')
  await pay(other, '100')
  await mine()
  // Not from the treasury, so nobody knows why.
  await pay(address, '100', other)
  await mine(confirmations)
  await poll()
  expect(await stateOf(run.id)).toBe('in_run')
  expect((await listed()).map(({ problem, amount }) => [problem, amount])).toEqual([
    ['unmatched', '100'],
    ['unmatched', '99.999999999999999999'],
  ])
})

test('if two runs match, neither is chosen, and one transfer proves one delivery', nightly, async () => {
  const { exported, pay, mine, poll, stateOf, listed, address } = await aWatchedToken()
  const runs = [await exported(), await exported()]
  await pay(address, '100')
  await mine(confirmations)
  await poll()
  for (const { id } of runs) expect(await stateOf(id)).toBe('in_run')
  expect(await listed()).toMatchObject([{ problem: 'ambiguous' }])
  expect((await listed())[0]!.deliveries).toHaveLength(2)
})

test(
  'an exported run is not canceled before the chain was read, or if it shows a payment',
  nightly,
  async () => {
    const { on, exported, pay, mine, poll, one, two, address } = await aWatchedToken()
    const [unread, paid] = [await exported({ address: sampleEthereumAddress('unread') }), await exported()]
    expect((await cancel(on, one, unread.id)).problem.code).toBe('network_unread')
    await poll()
    expect((await cancel(on, one, unread.id)).status).toBe(200)
    expect((await cancel(on, two, unread.id)).problem.code).toBe('network_unread')
    await mine()
    await poll()
    expect((await cancel(on, two, unread.id)).status).toBe(200)
    await pay(address, '100')
    await mine()
    await poll()
    // The delivery is sent by now, which the page of the run shows.
    expect((await cancel(on, one, paid.id)).problem.code).toBe('conflict')
  },
)

test('a token with other decimal places stops the watcher', nightly, async () => {
  const { exported, pay, mine, poll, stateOf, watch, address } = await aWatchedToken({ decimals: 8 })
  const run = await exported()
  await pay(address, '100')
  await mine(confirmations)
  expect(await poll()).toBe('failed')
  expect(await stateOf(run.id)).toBe('in_run')
  expect((await watch()).failure).toBe('wrong_token')
})

test('transfers of the coin of the chain prove deliveries, too', nightly, async () => {
  const { ask, exported, mine, poll, stateOf, treasury, other, address } = await aWatchedToken({
    isCoin: true,
  })
  const run = await exported({ amount: '2.5' })
  await sendTransaction(ask, { from: other, to: address, value: parseDecimal('2.5') })
  await mine(confirmations)
  await poll()
  expect(await stateOf(run.id)).toBe('in_run')
  await sendTransaction(ask, { from: treasury, to: address, value: parseDecimal('2.5') })
  await mine(confirmations)
  await poll()
  expect(await stateOf(run.id)).toBe('confirmed')
})
