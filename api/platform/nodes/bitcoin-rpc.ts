import * as z from 'zod/mini'
import { bitcoinNetworks, isBitcoinNetwork } from '../chain-keys/bitcoin-networks.ts'
import type { BlockSource, Moved } from './block-source.ts'
import type { JsonRpc } from './json-rpc.ts'
import { NodeFailure, NodeRefusal } from './node-failure.ts'
import { bytesOf, readBlock, readTransaction } from './raw-transaction.ts'

const hash = z.string().check(z.regex(/^[\da-f]{64}$/))
const height = z.int().check(z.gte(0), z.lte(2 ** 31 - 1))
const info = z.object({
  chain: z.string(),
  blocks: height,
  headers: height,
  bestblockhash: hash,
  mediantime: z.int(),
  initialblockdownload: z.optional(z.boolean()),
})
const hex = z.string()
const poolMax = 1_000_000
const pool = z.array(hash).check(z.maxLength(poolMax))

/** Maximum number of mempool transactions read per poll; the rest follow at the next polls. */
const readPerLook = 10_000
const perBatch = 100
/** The height is beyond the tip (Bitcoin Core: RPC_INVALID_PARAMETER). */
const beyondEnd = -8

/** Client for Bitcoin Core and compatible nodes. Needs neither a wallet nor an index of the node. */
export function bitcoinRpc(rpc: JsonRpc, network: string): BlockSource {
  /** Mempool transactions already read, so that each is read once. */
  let known = new Set<string>()
  let present = new Set<string>()
  let expected = ''
  if (isBitcoinNetwork(network)) expected = bitcoinNetworks[network].chain

  return {
    async tip() {
      const found = await rpc.ask(info, 'getblockchaininfo')
      if (found.chain !== expected) throw new NodeFailure('wrong_network')
      const isSynced = found.initialblockdownload !== true && found.headers - found.blocks <= 1
      return {
        height: found.blocks,
        hash: found.bestblockhash,
        at: new Date(found.mediantime * 1000),
        isSynced,
      }
    },

    async blockAt(at) {
      try {
        const wanted = await rpc.ask(hash, 'getblockhash', at)
        const block = readBlock(bytesOf(await rpc.ask(hex, 'getblock', wanted, 0)))
        // Verifies that the bytes are those of the requested block.
        if (block.hash !== wanted) throw new NodeFailure('not_understood')
        return { height: at, ...block }
      } catch (error) {
        if (error instanceof NodeRefusal && error.code === beyondEnd) return undefined
        throw error
      }
    },

    async readPool(keep) {
      present = new Set(await rpc.ask(pool, 'getrawmempool'))
      known = new Set([...known].filter((each) => present.has(each)))
      const fresh = [...present].filter((each) => !known.has(each))
      for (let from = 0; from < Math.min(fresh.length, readPerLook); from += perBatch) {
        const ids = fresh.slice(from, from + perBatch)
        const asked = ids.map((id) => ({ method: 'getrawtransaction', params: [id, 0] }))
        const found = await rpc.askAll(hex, asked)
        const moved: Moved[] = []
        found.forEach((each, index) => {
          if (each !== undefined)
            moved.push(...readTransaction(bytesOf(each)).filter(({ txId }) => txId === ids[index]))
        })
        await keep(moved)
        // A transaction that left the mempool meanwhile is not found, and what the node rejected is requested again.
        ids.forEach((id, index) => {
          if (found[index] !== undefined) known.add(id)
        })
      }
      return fresh.length <= readPerLook
    },

    listGone: async (txIds) => txIds.filter((each) => !present.has(each)),
    confirm: async (moved) => [...moved],
  }
}
