import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import * as z from 'zod/mini'
import { SECOND } from '#contract/platform/durations.ts'
import { MIB } from '#contract/platform/fields.ts'
import { bitcoinNetworks, isBitcoinNetwork } from '../chain-keys/bitcoin-networks.ts'
import type { Moved } from './block-source.ts'
import { understood } from './json-rpc.ts'
import { NodeFailure, NodeRefusal } from './node-failure.ts'
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

const lineBytesMax = 24 * MIB
const timeMax = 15 * SECOND

const message = z.object({
  id: z.optional(z.nullable(z.number())),
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(z.unknown())),
})

type ElectrumClient = {
  ask<T>(schema: z.ZodMiniType<T>, method: string, ...params: unknown[]): Promise<T>
  end(): void
}

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }

/**
 * Connects to an Electrum server, which sends one JSON message per line. For `ssl://`, the system must trust the
 * certificate. Responses that take too long or are too large end the connection.
 */
async function connectElectrum(address: string): Promise<ElectrumClient> {
  const { protocol, hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isTls = protocol === 'ssl:'
  const socket: Socket = isTls
    ? connectTls({ host, port: Number(port), servername: host })
    : connectPlain({ host, port: Number(port) })
  const waiting = new Map<number, Waiting>()
  let failure: NodeFailure | undefined
  const fail = (reason: NodeFailure['reason']) => {
    failure ??= new NodeFailure(reason)
    socket.destroy()
    for (const each of waiting.values()) each.reject(failure)
    waiting.clear()
  }
  socket.on('error', () => fail('unreachable'))
  socket.on('close', () => fail('unreachable'))
  receiveLines(socket, fail, (line) => {
    const { id, result, error } = line
    const each = typeof id === 'number' ? waiting.get(id) : undefined
    if (!each) return
    waiting.delete(id!)
    const code = z.object({ code: z.number() }).safeParse(error)
    if (error) each.reject(new NodeRefusal(code.success ? code.data.code : 0))
    else each.resolve(result ?? null)
  })

  let next = 0
  const ask: ElectrumClient['ask'] = async (schema, method, ...params) => {
    if (failure) throw failure
    const id = (next += 1)
    const timer = setTimeout(() => fail('too_slow'), timeMax)
    try {
      const answer = await new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      })
      return understood(schema, answer)
    } finally {
      clearTimeout(timer)
    }
  }
  await ask(z.unknown(), 'server.version', 'coin-site', '1.4')
  return { ask, end: () => fail('unreachable') }
}

function receiveLines(
  socket: Socket,
  fail: (reason: NodeFailure['reason']) => void,
  take: (line: z.infer<typeof message>) => void,
): void {
  let pieces: Buffer[] = []
  let bytes = 0
  socket.on('data', (data: Buffer) => {
    let from = 0
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, from)) {
      const line = Buffer.concat([...pieces, data.subarray(from, end)]).toString('utf8')
      pieces = []
      bytes = 0
      from = end + 1
      const parsed = message.safeParse(jsonOf(line))
      if (!parsed.success) return fail('not_understood')
      take(parsed.data)
    }
    pieces.push(data.subarray(from))
    bytes += data.length - from
    if (bytes > lineBytesMax) fail('too_large')
  })
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
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
