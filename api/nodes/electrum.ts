import * as z from 'zod/mini'
import { bitcoinNetworks, isBitcoinNetwork } from '../chain-keys/bitcoin-networks.ts'
import type { Moved } from './block-source.ts'
import { connectElectrum } from './electrum-client.ts'
import { NodeFailure } from './node-failure.ts'
import { bytesOf, electrumHashOf, readHeader, readTransaction, type RawHeader } from './raw-transaction.ts'

const hash = z.string().check(z.regex(/^[\da-f]{64}$/))
const heightMax = 2 ** 31 - 1
const head = z.object({ height: z.int().check(z.gte(0), z.lte(heightMax)), hex: z.string() })
/** A height of 0 or -1 means the mempool. */
const history = z
  .array(z.object({ tx_hash: hash, height: z.int().check(z.gte(-1), z.lte(heightMax)) }))
  .check(z.maxLength(100_000))

export type HistoryEntry = { txId: string; height: number | null }

/** A server queried by address, which returns the whole history of the address. */
export type HistorySource = {
  tip(): Promise<{ height: number; hash: string; at: Date }>
  historyOf(target: string): Promise<HistoryEntry[]>
  transaction(txId: string): Promise<Moved[]>
  headerAt(height: number): Promise<RawHeader>
  end(): void
}

export async function openElectrum(address: string, network: string): Promise<HistorySource> {
  const client = await connectElectrum(address)
  try {
    const genesis = readHeader(bytesOf(await client.ask(z.string(), 'blockchain.block.header', 0)))
    const expected = isBitcoinNetwork(network) ? bitcoinNetworks[network].genesis : ''
    if (genesis.hash !== expected) throw new NodeFailure('wrong_network')
  } catch (error) {
    client.end()
    throw error
  }
  const headers = new Map<number, RawHeader>()
  const headerAt = async (height: number) => {
    const known = headers.get(height)
    if (known) return known
    const found = readHeader(bytesOf(await client.ask(z.string(), 'blockchain.block.header', height)))
    headers.set(height, found)
    return found
  }
  return {
    async tip() {
      const found = await client.ask(head, 'blockchain.headers.subscribe')
      const { hash, at } = readHeader(bytesOf(found.hex))
      return { height: found.height, hash, at }
    },
    async historyOf(target) {
      const found = await client.ask(history, 'blockchain.scripthash.get_history', electrumHashOf(target))
      return found.map(({ tx_hash, height }) => ({ txId: tx_hash, height: height > 0 ? height : null }))
    },
    async transaction(txId) {
      const moved = readTransaction(bytesOf(await client.ask(z.string(), 'blockchain.transaction.get', txId)))
      // The ID must match the bytes.
      if (moved.some((each) => each.txId !== txId)) throw new NodeFailure('not_understood')
      return moved
    },
    headerAt,
    end: () => client.end(),
  }
}
