import * as z from 'zod/mini'
import { decimalPlaces } from '#contract/platform/decimal.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { BlockSource, Moved } from './block-source.ts'
import {
  amountMax,
  ethereumRpc,
  header,
  inHex,
  movedOf,
  numberOf,
  timeOf,
  transaction,
} from './ethereum-rpc.ts'
import type { JsonRpc } from './json-rpc.ts'
import { NodeFailure } from './node-failure.ts'

/** Topic of the event `Transfer(address,address,uint256)` of ERC-20. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Selector of `decimals()`. */
const decimalsCall = '0x313ce567'

const hex = z.string().check(z.regex(/^0x[\da-f]*$/i), z.toLowerCase())
const word = z.string().check(z.regex(/^0x[\da-f]{64}$/i), z.toLowerCase())
const log = z.object({
  transactionHash: word,
  blockHash: word,
  logIndex: hex,
  topics: z.array(word),
  data: hex,
  removed: z.optional(z.boolean()),
})
const sent = z.nullable(
  z.object({ ...header.shape, transactions: z.array(z.extend(transaction, { from: hex })) }),
)

export type WatchedToken = {
  /** Empty for the coin of the chain. */
  contract: string
  decimals: number
  /** Addresses that tokens are sent from, in lowercase. */
  treasury: readonly string[]
}

/** An address as the 32 bytes of a topic. */
const topicOf = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`
const addressOf = (topic: string): string => `0x${topic.slice(-40)}`

/**
 * Reads the transfers from the treasury, block by block. An `output` is the position of a transfer among those of its
 * transaction, because a reorganization can change the number that the chain gives an event.
 */
export function tokenSource(rpc: JsonRpc, network: string, token: WatchedToken): BlockSource {
  const chain = ethereumRpc(rpc, network)
  const moved = token.contract === '' ? coinsSent(rpc, token) : tokensSent(rpc, token)
  let checkedAt = -Infinity
  return {
    ...chain,
    async tip() {
      const tip = await chain.tip()
      if (token.contract !== '' && performance.now() - checkedAt > HOUR) {
        await requireToken(rpc, token)
        checkedAt = performance.now()
      }
      return tip
    },
    async blockAt(height) {
      const found = await rpc.ask(z.nullable(header), 'eth_getBlockByNumber', inHex(height), false)
      if (!found) return undefined
      if (numberOf(found.number) !== height) throw new NodeFailure('not_understood')
      return {
        height,
        hash: found.hash,
        parent: found.parentHash,
        at: timeOf(found),
        moved: await moved(found.hash),
      }
    },
    /** A transfer that is not in a block yet proves nothing. */
    readPool: () => Promise.resolve(true),
    /** In another block, a transaction may have failed, which leaves no event. */
    async listGone(txIds) {
      const gone = new Set(await chain.listGone(txIds))
      const asked = txIds.map((id) => ({ method: 'eth_getTransactionReceipt', params: [id] }))
      const receipts = await rpc.askAll(z.nullable(z.object({ status: z.optional(hex) })), asked)
      return txIds.filter((id, index) => gone.has(id) || receipts[index]?.status === '0x0')
    },
    // Events exist only if the transaction succeeded.
    confirm: (all, hash) => (token.contract === '' ? chain.confirm(all, hash) : Promise.resolve([...all])),
  }
}

/** With another contract or other decimal places, every amount would be wrong. */
async function requireToken(rpc: JsonRpc, { contract, decimals }: WatchedToken): Promise<void> {
  const code = await rpc.ask(hex, 'eth_getCode', contract, 'latest')
  const [answer] = await rpc.askAll(hex, [
    { method: 'eth_call', params: [{ to: contract, data: decimalsCall }, 'latest'] },
  ])
  const isToken = code !== '0x' && answer !== undefined && /^0x[\da-f]{64}$/.test(answer)
  if (!isToken || BigInt(answer) !== BigInt(decimals)) throw new NodeFailure('wrong_token')
}

const tokensSent =
  (rpc: JsonRpc, { contract, decimals, treasury }: WatchedToken) =>
  async (blockHash: string): Promise<Moved[]> => {
    const topics = [transferTopic, treasury.map(topicOf)]
    const logs = await rpc.ask(z.array(log), 'eth_getLogs', { blockHash, address: contract, topics })
    if (logs.some((each) => each.removed || each.blockHash !== blockHash)) throw new NodeFailure('behind')
    const unit = 10n ** BigInt(decimalPlaces - decimals)
    const times = new Map<string, number>()
    return logs
      .toSorted((a, b) => Number(BigInt(a.logIndex) - BigInt(b.logIndex)))
      .flatMap(({ transactionHash: txId, topics: [, , to], data }) => {
        if (to === undefined || !/^0x[\da-f]{64}$/.test(data)) throw new NodeFailure('not_understood')
        const output = times.get(txId) ?? 0
        times.set(txId, output + 1)
        const amount = BigInt(data) * unit
        return amount > 0n && amount < amountMax ? [{ txId, output, target: addressOf(to), amount }] : []
      })
  }

const coinsSent =
  (rpc: JsonRpc, { treasury }: WatchedToken) =>
  async (blockHash: string): Promise<Moved[]> => {
    const found = await rpc.ask(sent, 'eth_getBlockByHash', blockHash, true)
    if (!found) throw new NodeFailure('behind')
    return movedOf(found.transactions.filter(({ from }) => treasury.includes(from)))
  }
