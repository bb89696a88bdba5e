import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseDecimal } from '#contract/platform/decimal.ts'

type Sent = { from: string; to: string; amount: string }
type Transaction = { id: string; sent: readonly Sent[]; hasFailed?: boolean }
type Block = { hash: string; parent: string; at: Date; transactions: Transaction[] }
type Asked = { id: number; method: string; params: readonly unknown[] }
type LogFilter = { blockHash: string; topics: [string, string[]] }

export const scriptedToken = {
  network: '1337',
  contract: `0x${'c0'.repeat(20)}`,
  treasury: `0x${'ee'.repeat(20)}`,
}
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const hashOf = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`
const hex = (value: number | bigint): string => `0x${value.toString(16)}`
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

/** The part of an Ethereum node that the watcher of the token uses, with a chain and a token that the test writes. */
export async function startScriptedEthereum() {
  const blocks: Block[] = [{ hash: hashOf('genesis'), parent: hashOf(''), at: new Date(0), transactions: [] }]
  let pool: Transaction[] = []
  const token = { code: '0x60', decimals: 18 }
  let [isDown, count] = [false, 0]
  let distort = (_: string, result: unknown): unknown => result

  const headerOf = (block: Block | undefined) =>
    block && {
      hash: block.hash,
      parentHash: block.parent,
      number: hex(blocks.indexOf(block)),
      timestamp: hex(Math.floor(block.at.getTime() / 1000)),
    }
  const blockOf = (txId: unknown) =>
    blocks.find(({ transactions }) => transactions.some(({ id }) => id === txId))
  const logsOf = ({ blockHash, topics: [, senders] }: LogFilter) => {
    const block = blocks.find(({ hash }) => hash === blockHash)
    let logIndex = 0
    return (block?.transactions ?? []).flatMap(({ id, sent, hasFailed }) =>
      (hasFailed ? [] : sent).flatMap(({ from, to, amount }) => {
        const log = {
          transactionHash: id,
          blockHash,
          logIndex: hex(logIndex++),
          topics: [transferTopic, word(BigInt(from)), word(BigInt(to))],
          data: word(parseDecimal(amount)),
          removed: false,
        }
        return senders.includes(log.topics[1]!) ? [log] : []
      }),
    )
  }
  const results: Record<string, (...params: readonly unknown[]) => unknown> = {
    eth_chainId: () => hex(BigInt(scriptedToken.network)),
    eth_syncing: () => false,
    eth_getBlockByNumber: (at) => headerOf(at === 'latest' ? blocks.at(-1) : blocks[Number(at)]),
    eth_getLogs: (filter) => logsOf(filter as LogFilter),
    eth_getCode: () => token.code,
    eth_call: () => word(BigInt(token.decimals)),
    eth_getTransactionByHash: (id) => {
      const header = headerOf(blockOf(id))
      if (!header && !pool.some((each) => each.id === id)) return null
      return { hash: id, blockHash: header?.hash ?? null, blockNumber: header?.number ?? null }
    },
    eth_getTransactionReceipt: (id) => {
      const block = blockOf(id)
      const hasFailed = block?.transactions.find((each) => each.id === id)?.hasFailed
      return block && { blockHash: block.hash, status: hasFailed ? '0x0' : '0x1' }
    },
  }
  const answer = ({ id, method, params }: Asked) => ({
    id,
    jsonrpc: '2.0',
    result: distort(method, results[method]!(...params) ?? null),
  })
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
    token,
    /** Sends transfers in one transaction, which waits for a block. */
    pay(sent: readonly (Omit<Sent, 'from'> & { from?: string })[]): string {
      const id = hashOf(`transaction ${(count += 1)}`)
      pool.push({ id, sent: sent.map((each) => ({ from: scriptedToken.treasury, ...each })) })
      return id
    },
    mine(times = 1, at = new Date()): void {
      for (let left = times; left > 0; left -= 1) {
        blocks.push({
          hash: hashOf(`block ${(count += 1)}`),
          parent: blocks.at(-1)!.hash,
          at,
          transactions: pool,
        })
        pool = []
      }
    },
    /** Replaces the last blocks with as many others and one more, which have none of their transactions. */
    reorganise(times: number, { isBackInPool = false, hasFailed = false } = {}): void {
      const undone = blocks.splice(blocks.length - times).flatMap(({ transactions }) => transactions)
      if (hasFailed) pool = undone.map((each) => ({ ...each, hasFailed }))
      this.mine(times + 1)
      if (isBackInPool) pool = [...undone, ...pool]
    },
    setDown(down: boolean): void {
      isDown = down
    },
    /** Changes what the node answers. */
    lie(change: typeof distort): void {
      distort = change
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
