import * as z from 'zod/mini'
import type { BlockSource, Moved } from './block-source.ts'
import type { JsonRpc } from './json-rpc.ts'
import { NodeFailure, NodeRefusal } from './node-failure.ts'

const quantity = z.string().check(z.regex(/^0x(?:0|[1-9a-f][\da-f]{0,63})$/i))
const hash = z.string().check(z.regex(/^0x[\da-f]{64}$/i), z.toLowerCase())
const address = z.string().check(z.regex(/^0x[\da-f]{40}$/i), z.toLowerCase())
export const transaction = z.object({ hash, to: z.optional(z.nullable(address)), value: quantity })
const transactionsMax = 20_000
export const header = z.object({ hash, parentHash: hash, number: quantity, timestamp: quantity })
const block = z.nullable(
  z.object({
    ...header.shape,
    transactions: z.array(transaction).check(z.maxLength(transactionsMax)),
  }),
)
/** Only this is certain about the pending block. */
const pending = z.nullable(
  z.object({ transactions: z.array(z.unknown()).check(z.maxLength(transactionsMax)) }),
)
const head = z.nullable(z.object({ hash, number: quantity, timestamp: quantity }))
const known = z.nullable(
  z.object({ hash, blockHash: z.optional(z.nullable(hash)), blockNumber: z.optional(z.nullable(quantity)) }),
)
const receipt = z.nullable(z.object({ blockHash: hash, status: z.optional(quantity) }))

const heightMax = 2 ** 31 - 1
/** A time in the year 9999, in seconds. */
const timeMax = 253_370_764_800
export const numberOf = (text: string, max = heightMax): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number > max) throw new NodeFailure('not_understood')
  return number
}
export const timeOf = ({ timestamp }: { timestamp: string }): Date =>
  new Date(numberOf(timestamp, timeMax) * 1000)
export const inHex = (number: number): string => `0x${number.toString(16)}`

/** More than the total supply of any coin or token, so no valid payment. */
export const amountMax = 10n ** 38n

export const movedOf = (transactions: readonly z.infer<typeof transaction>[]): Moved[] =>
  transactions.flatMap(({ hash: txId, to, value }) => {
    const amount = BigInt(value)
    return to && amount > 0n && amount < amountMax ? [{ txId, output: 0, target: to, amount }] : []
  })

/** Client for Ethereum nodes and compatible chains. Internal transfers of contracts are not visible. */
export function ethereumRpc(rpc: JsonRpc, network: string): BlockSource {
  return {
    async tip() {
      if (BigInt(await rpc.ask(quantity, 'eth_chainId')) !== BigInt(network))
        throw new NodeFailure('wrong_network')
      const syncing = await rpc.ask(z.unknown(), 'eth_syncing')
      const found = await rpc.ask(head, 'eth_getBlockByNumber', 'latest', false)
      if (!found) throw new NodeFailure('not_understood')
      return {
        height: numberOf(found.number),
        hash: found.hash,
        at: timeOf(found),
        isSynced: syncing === false,
      }
    },

    async blockAt(height) {
      const found = await rpc.ask(block, 'eth_getBlockByNumber', inHex(height), true)
      if (!found) return undefined
      if (numberOf(found.number) !== height) throw new NodeFailure('not_understood')
      return {
        height,
        hash: found.hash,
        parent: found.parentHash,
        at: timeOf(found),
        moved: movedOf(found.transactions),
      }
    },

    /** Some nodes do not show pending transactions. Their payments appear only once they are in a block. */
    async readPool(keep) {
      await keep(movedOf(await readPending(rpc)))
      return true
    },

    async listGone(txIds) {
      const asked = txIds.map((id) => ({ method: 'eth_getTransactionByHash', params: [id] }))
      const found = await rpc.askAll(known, asked)
      const staleIds = await findStale(rpc, found)
      // A transaction that the node refused to report is not considered gone.
      return txIds.filter((id, index) => found[index] === null || staleIds.has(id))
    },

    async confirm(moved, blockHash) {
      const asked = moved.map(({ txId }) => ({ method: 'eth_getTransactionReceipt', params: [txId] }))
      const receipts = await rpc.askAll(receipt, asked)
      return moved.filter((_, index) => {
        const found = receipts[index]
        // The block may have been replaced since; the caller reads it again.
        if (!found || found.blockHash !== blockHash) throw new NodeFailure('behind')
        return found.status === undefined || BigInt(found.status) === 1n
      })
    },
  }
}

async function readPending(rpc: JsonRpc): Promise<z.infer<typeof transaction>[]> {
  const found = await rpc.ask(pending, 'eth_getBlockByNumber', 'pending', true).catch((error: unknown) => {
    if (error instanceof NodeRefusal || (error instanceof NodeFailure && error.reason === 'not_understood'))
      return null
    throw error
  })
  return (found?.transactions ?? []).flatMap((each) => {
    const parsed = transaction.safeParse(each)
    return parsed.success ? [parsed.data] : []
  })
}

/** Returns the transactions of blocks that have left the best chain. Some nodes still report them. */
async function findStale(
  rpc: JsonRpc,
  found: readonly (z.infer<typeof known> | undefined)[],
): Promise<ReadonlySet<string>> {
  const inBlocks = found.flatMap((each) => (each?.blockHash && each.blockNumber ? [each] : []))
  const blocks = await rpc.askAll(
    head,
    inBlocks.map(({ blockNumber }) => ({ method: 'eth_getBlockByNumber', params: [blockNumber, false] })),
  )
  const stale = inBlocks.filter(
    ({ blockHash }, index) => blocks[index] !== undefined && blocks[index]?.hash !== blockHash,
  )
  return new Set(stale.map((each) => each.hash))
}
