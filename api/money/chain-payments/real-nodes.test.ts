import { type ChildProcess, fork } from 'node:child_process'
import { pbkdf2Sync } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { HDKey } from '@scure/bip32'
import { expect, onTestFinished, test } from 'vitest'
import { aSignedInMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startNode } from '#tests/setup/chain-nodes.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { freePort } from '#tests/setup/start-product.ts'
import { startEthereumNode } from '#tests/setup/test-chain.ts'

const seed = pbkdf2Sync(
  'test test test test test test test test test test test junk',
  'mnemonic',
  2048,
  64,
  'sha512',
)
const vpub = HDKey.fromMasterSeed(seed, { public: 0x045f1cf6, private: 0x045f18bc }).derive("m/84'/1'/0'")
const xpub = HDKey.fromMasterSeed(seed).derive("m/44'/60'/1'")

/** Starts instances that are killed and restarted without a clean shutdown. */
function startInstances(settings: Record<string, string>, started: TestApi) {
  const env = {
    ...process.env,
    ...settings,
    DATABASE_URL: started.services.config.databaseUrl,
    NODE_ENV: 'development',
  }
  const begin = () => fork('tests/setup/chain-watcher.ts', [], { execArgv: [], env })
  const running: ChildProcess[] = [begin(), begin()]
  onTestFinished(() => running.forEach((each) => each.kill('SIGKILL')))
  return {
    async killOne(): Promise<void> {
      running.shift()!.kill('SIGKILL')
      await setTimeout(300)
      running.push(begin())
    },
  }
}

async function read(started: TestApi, ids: readonly string[]) {
  const { db } = started.services
  const rows = await db
    .selectFrom('token_order')
    .leftJoin('chain_payment', 'chain_payment.order_id', 'token_order.id')
    .select(['token_order.id', 'token_order.status', 'chain_payment.state', 'chain_payment.received'])
    .where('token_order.id', 'in', ids)
    .execute()
  const steps = await db
    .selectFrom('order_step')
    .select('order_id')
    .where('kind', '=', 'completed')
    .where('order_id', 'in', ids)
    .execute()
  const of = (id: string) => rows.find((row) => row.id === id)!
  return {
    says: (id: string) => `${of(id).state ?? 'awaited'} ${of(id).status}`,
    completions: (id: string) => steps.filter(({ order_id }) => order_id === id).length,
  }
}

async function targetOf({ services }: TestApi, orderId: string): Promise<string> {
  const { target } = await services.db
    .selectFrom('chain_address')
    .select('target')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return target
}

type Expected = Record<string, string>
async function untilSaid(started: TestApi, expected: Expected): Promise<void> {
  await expect
    .poll(
      async () => {
        const { says } = await read(started, Object.keys(expected))
        return Object.fromEntries(Object.keys(expected).map((id) => [id, says(id)]))
      },
      { timeout: 150_000, interval: 500 },
    )
    .toEqual(expected)
}

/**
 * Counts lost orders, which were paid exactly but not completed, and doubled ones, which were completed more than once
 * or without a payment.
 */
async function count(started: TestApi, paid: readonly string[], unpaid: readonly string[]) {
  const found = await read(started, [...paid, ...unpaid])
  return {
    lost: paid.filter((id) => found.completions(id) === 0).length,
    doubled:
      paid.filter((id) => found.completions(id) > 1).length +
      unpaid.filter((id) => found.completions(id) > 0).length,
  }
}

async function startBitcoinNode() {
  const [rpc, electrum, control, peer] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const child = await startNode('bitcoin.cjs', [rpc, electrum, control, peer])
  const act = async (of: Record<string, unknown>): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${control}`, { method: 'POST', body: JSON.stringify(of) })
    const { result, error } = (await answer.json()) as { result?: string; error?: string }
    if (error) throw new Error(error)
    return result ?? ''
  }
  return {
    urls: {
      bitcoin_rpc: `http://x:a-password@127.0.0.1:${rpc}`,
      electrum: `tcp://127.0.0.1:${electrum}`,
    },
    act,
    freeze: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
    stop: () => child.kill('SIGKILL'),
  }
}

test.for(['bitcoin_rpc', 'electrum'] as const)(
  'on a regtest node by %s loses nothing and counts nothing twice, whatever happens',
  { tags: ['nightly'], timeout: 400_000 },
  async (way) => {
    const node = await startBitcoinNode()
    onTestFinished(() => void node.stop())
    const settings = {
      CHAIN_BTC_URL: node.urls[way],
      CHAIN_BTC_NETWORK: 'regtest',
      CHAIN_BTC_XPUB: vpub.publicExtendedKey,
      CHAIN_BTC_CONFIRMATIONS: '3',
      CHAIN_COMPLETE: 'exact',
      CHAIN_LOOK_SECONDS: '1',
    }
    const started = await startApi(settings)
    const buyer = await aBuyer(started)
    await aSignedInMember(started)
    const order = async () => (await anOrderOf(started, buyer))._id
    const output = async (id: string, value: number) => [await targetOf(started, id), value]
    const pay = async (id: string, value = 50_000_000) =>
      node.act({ act: 'pay', outputs: [await output(id, value)] })
    const mine = (times: number) => node.act({ act: 'mine', times })
    const instances = startInstances(settings, started)

    const plain = [await order(), await order(), await order(), await order()]
    const [less, more, bumped, stolen, again, twice, lost, frozen] = [
      await order(),
      await order(),
      await order(),
      await order(),
      await order(),
      await order(),
      await order(),
      await order(),
    ]
    for (const id of plain) await pay(id)
    await pay(less, 49_999_999)
    await pay(more, 50_000_001)
    const first = await pay(bumped)
    const second = await pay(stolen)
    await untilSaid(started, {
      [bumped]: 'seen pending',
      [stolen]: 'seen pending',
      [less]: 'too_little pending',
    })
    // One is replaced with a higher fee, and one by a payment to someone else.
    await node.act({ act: 'replace', id: first, outputs: [await output(bumped, 50_000_000)] })
    await node.act({ act: 'replace', id: second, outputs: [] })
    await instances.killOne()
    await untilSaid(started, { [stolen]: 'awaited pending' })
    await mine(1)
    await instances.killOne()
    await mine(2)
    await untilSaid(started, Object.fromEntries([...plain, bumped].map((id) => [id, 'paid completed'])))
    // Blocks leave the best chain: one payment is confirmed again, another was spent elsewhere.
    await pay(again)
    const doubled = await pay(lost)
    await mine(1)
    await untilSaid(started, { [again]: 'confirming pending', [lost]: 'confirming pending' })
    await node.act({ act: 'reorganise', depth: 1, spends: [doubled] })
    await untilSaid(started, { [again]: 'reorganised pending', [lost]: 'reorganised pending' })
    await instances.killOne()
    await mine(3)
    await untilSaid(started, { [again]: 'paid completed', [lost]: 'reorganised pending' })
    await pay(twice)
    await pay(twice)
    await mine(3)
    // The node stops responding for a while, and a payment arrives meanwhile.
    await pay(frozen)
    node.freeze()
    await instances.killOne()
    await setTimeout(4000)
    node.goOn()
    await mine(3)
    const paid = [...plain, bumped, again, frozen]
    const unpaid = [less, more, stolen, lost, twice]
    await untilSaid(started, {
      ...Object.fromEntries(paid.map((id) => [id, 'paid completed'])),
      [less]: 'too_little pending',
      [more]: 'too_much pending',
      [twice]: 'too_much pending',
      [stolen]: 'awaited pending',
      [lost]: 'reorganised pending',
    })
    const found = await count(started, paid, unpaid)
    console.log(`${way}: of ${paid.length} paid and ${unpaid.length} others`, found)
    expect(found).toEqual({ lost: 0, doubled: 0 })
  },
)

test(
  'on an Ethereum development chain loses nothing and counts nothing twice',
  { tags: ['nightly'], timeout: 400_000 },
  async () => {
    const node = await startEthereumNode()
    onTestFinished(() => void node.stop())
    const settings = {
      CHAIN_ETH_URL: node.url,
      CHAIN_ETH_NETWORK: '1337',
      CHAIN_ETH_XPUB: xpub.publicExtendedKey,
      CHAIN_ETH_CONFIRMATIONS: '3',
      CHAIN_COMPLETE: 'exact',
      CHAIN_LOOK_SECONDS: '1',
    }
    const started = await startApi(settings)
    const buyer = await aBuyer(started)
    const order = async () => (await anOrderOf(started, buyer, 'ETH', '2'))._id
    const accounts = await node.ask<string[]>('eth_accounts')
    const ether = 10n ** 18n
    const pay = async (id: string, value = 2n * ether, more: Record<string, unknown> = {}) =>
      node.ask('eth_sendTransaction', {
        from: accounts[0],
        to: await targetOf(started, id),
        value: `0x${value.toString(16)}`,
        ...more,
      })
    const mine = async (times: number) => {
      for (let left = times; left > 0; left -= 1) await node.ask('evm_mine')
    }
    const instances = startInstances(settings, started)
    const [plain, less, bumped, again, lost] = [
      await order(),
      await order(),
      await order(),
      await order(),
      await order(),
    ]
    await pay(plain)
    await pay(less, 2n * ether - 1n)
    const nonce = '0x0'
    await pay(bumped, 2n * ether, { from: accounts[1], nonce, gasPrice: '0x77359400' })
    await pay(bumped, 2n * ether, { from: accounts[1], nonce, gasPrice: '0xee6b2800' })
    await instances.killOne()
    await mine(4)
    await untilSaid(started, {
      [plain]: 'paid completed',
      [bumped]: 'paid completed',
      [less]: 'too_little pending',
    })
    const before = await node.ask('evm_snapshot')
    await pay(again)
    await pay(lost, 2n * ether, { from: accounts[2] })
    await mine(1)
    await untilSaid(started, { [again]: 'confirming pending', [lost]: 'confirming pending' })
    await node.ask('evm_revert', before)
    await instances.killOne()
    await mine(2)
    await untilSaid(started, { [again]: 'reorganised pending', [lost]: 'reorganised pending' })
    const after = await order()
    await pay(after, 2n * ether, { from: accounts[3] })
    await mine(4)
    // Ganache still announces reverted transactions, but no longer includes them.
    const expected = {
      [plain]: 'paid completed',
      [bumped]: 'paid completed',
      [after]: 'paid completed',
      [less]: 'too_little pending',
      [again]: 'reorganised pending',
      [lost]: 'reorganised pending',
    }
    await untilSaid(started, expected)
    const found = await count(started, [plain, bumped, after], [less, again, lost])
    console.log('ethereum_rpc: of 3 paid and 3 others', found)
    expect(found).toEqual({ lost: 0, doubled: 0 })
  },
)
