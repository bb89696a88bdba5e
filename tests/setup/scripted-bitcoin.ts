import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { outputScript, bitcoinNetworks } from '#api/platform/chain-keys/bitcoin-networks.ts'
import { decimalPlaces, parseDecimal } from '#contract/platform/decimal.ts'

type Transaction = { id: string; bytes: Buffer }
type Block = { hash: string; bytes: Buffer; transactions: Transaction[] }
type Asked = { id: number; method: string; params: readonly [unknown?, unknown?] }

const network = 'regtest'
const unit = 10n ** BigInt(decimalPlaces - 8)
const headerBytes = 80
/** Error codes of Bitcoin Core for a height beyond the end, and for an unknown transaction. */
const refusals = { getblockhash: -8, getblock: -5, getrawtransaction: -5 }

const hashOf = (bytes: Buffer): string => {
  const once = createHash('sha256').update(bytes).digest()
  return createHash('sha256').update(once).digest().reverse().toString('hex')
}
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A transaction with one arbitrary input and one output, to an address or a script in hexadecimal. */
function aTransaction(to: string, amount: string): Transaction {
  const script = Buffer.from(outputScript(to, bitcoinNetworks[network]) ?? to, 'hex')
  const value = Buffer.alloc(8)
  value.writeBigUInt64LE(parseDecimal(amount) / unit)
  const input = [randomBytes(32), uint32(0), Buffer.of(0), uint32(0xff_ff_ff_ff)]
  const output = [value, Buffer.of(script.length), script]
  const bytes = Buffer.concat([uint32(2), Buffer.of(1), ...input, Buffer.of(1), ...output, uint32(0)])
  return { id: hashOf(bytes), bytes }
}

function aBlock(parent: string, transactions: Transaction[]): Block {
  const header = Buffer.alloc(headerBytes)
  Buffer.from(parent, 'hex').reverse().copy(header, 4)
  randomBytes(32).copy(header, 36)
  header.writeUInt32LE(Math.floor(Date.now() / 1000), 68)
  const bytes = Buffer.concat([
    header,
    Buffer.of(transactions.length),
    ...transactions.map((each) => each.bytes),
  ])
  return { hash: hashOf(header), bytes, transactions }
}

/** The part of a Bitcoin node that the blockchain monitor uses, with a chain that the test writes. */
export async function startScriptedBitcoin() {
  const blocks = [aBlock('00'.repeat(32), [])]
  let pool: Transaction[] = []
  let isDown = false
  const results: Record<string, (first: unknown) => unknown> = {
    getblockchaininfo: () => ({
      mediantime: Math.floor(Date.now() / 1000),
      chain: network,
      blocks: blocks.length - 1,
      headers: blocks.length - 1,
      bestblockhash: blocks.at(-1)!.hash,
      initialblockdownload: false,
    }),
    getblockhash: (height) => blocks[Number(height)]?.hash,
    getblock: (hash) => blocks.find((each) => each.hash === hash)?.bytes.toString('hex'),
    getrawmempool: () => pool.map(({ id }) => id),
    getrawtransaction: (id) => pool.find((each) => each.id === id)?.bytes.toString('hex'),
  }
  const answer = ({ id, method, params }: Asked) => {
    const result = results[method]?.(params[0])
    if (result !== undefined) return { id, result, error: null }
    return { id, result: null, error: { code: refusals[method as keyof typeof refusals] ?? -32_601 } }
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (isDown) return response.destroy()
      const asked = JSON.parse(Buffer.concat(parts).toString()) as Asked | Asked[]
      return response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    network,
    /** Adds a transaction to the mempool. */
    pay(to: string, amount: string): string {
      const paid = aTransaction(to, amount)
      pool.push(paid)
      return paid.id
    },
    mine(times = 1): void {
      for (let left = times; left > 0; left -= 1) {
        blocks.push(aBlock(blocks.at(-1)!.hash, pool))
        pool = []
      }
    },
    /**
     * Replaces the last blocks with as many others and one more. Their transactions return to the mempool or disappear.
     */
    reorganise(times: number, isBackInPool = true): void {
      const undone = blocks.splice(blocks.length - times).flatMap(({ transactions }) => transactions)
      this.mine(times + 1)
      if (isBackInPool) pool = [...undone, ...pool]
    },
    setDown(down: boolean): void {
      isDown = down
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
