import testToken from '#tests/chain-nodes/test-token.json' with { type: 'json' }
import { freePort } from './start-product.ts'
import { startNode } from './chain-nodes.ts'

/** ID of the chain that `tests/chain-nodes/ethereum.cjs` makes. */
export const testChainId = 1337

/** Calls a node, whose accounts are unlocked. */
export type AskNode = <T = string>(method: string, ...params: unknown[]) => Promise<T>

export const askNodeAt =
  (url: string): AskNode =>
  async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(error.message)
    return result
  }

/** Starts a chain of its own. Without `blockTime` in seconds, it makes a block only when it is told to. */
export async function startEthereumNode({ port, blockTime }: { port?: number; blockTime?: number } = {}) {
  const at = port ?? (await freePort())
  const child = await startNode('ethereum.cjs', blockTime === undefined ? [at] : [at, blockTime])
  const url = `http://127.0.0.1:${at}`
  return { url, ask: askNodeAt(url), stop: () => child.kill('SIGKILL') }
}

const hex = (value: bigint): string => `0x${value.toString(16)}`
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const addressWord = (address: string): string => word(BigInt(address))
const listOf = (words: readonly string[]): string => word(BigInt(words.length)) + words.join('')

type Transaction = { from: string; to?: string; value?: bigint; data?: string }

/** Sends a transaction from an account of the node, and returns its ID. It is not in a block yet. */
export const sendTransaction = (ask: AskNode, { value = 0n, ...given }: Transaction): Promise<string> =>
  ask('eth_sendTransaction', { ...given, value: hex(value), gas: hex(10_000_000n) })

/** Waits until a transaction is in a block. Throws if it failed. */
export async function untilMined(
  ask: AskNode,
  txId: string,
): Promise<{ contractAddress: string | null; blockNumber: string }> {
  type Receipt = { status: string; contractAddress: string | null; blockNumber: string }
  for (;;) {
    const receipt = await ask<Receipt | null>('eth_getTransactionReceipt', txId)
    if (receipt?.status === '0x1') return receipt
    if (receipt) throw new Error(`the transaction ${txId} failed`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Sends the creation of the test token. Its address is in the receipt; `from` then owns all tokens. */
export const createToken = (ask: AskNode, from: string, decimals: number): Promise<string> =>
  sendTransaction(ask, { from, data: testToken.bytecode + word(BigInt(decimals)) })

export type TokenTransfer = { to: string; value: bigint }

/** Transfers tokens, in their smallest unit. */
export const transferTokens = (
  ask: AskNode,
  { from, contract, to, value }: TokenTransfer & { from: string; contract: string },
): Promise<string> =>
  sendTransaction(ask, {
    from,
    to: contract,
    data: `0x${testToken.methods['transfer(address,uint256)']}${addressWord(to)}${word(value)}`,
  })

/** Makes many transfers in one transaction, as a multi-signature wallet does. */
export function transferManyTokens(
  ask: AskNode,
  { from, contract, transfers }: { from: string; contract: string; transfers: readonly TokenTransfer[] },
): Promise<string> {
  const to = listOf(transfers.map((each) => addressWord(each.to)))
  const values = listOf(transfers.map(({ value }) => word(value)))
  const begin = [64n, 64n + BigInt(to.length / 2)].map(word).join('')
  return sendTransaction(ask, {
    from,
    to: contract,
    data: `0x${testToken.methods['transferMany(address[],uint256[])']}${begin}${to}${values}`,
  })
}

/** Tokens of an address, in their smallest unit. */
export const tokensOf = async (ask: AskNode, contract: string, address: string): Promise<bigint> =>
  BigInt(
    await ask(
      'eth_call',
      { to: contract, data: `0x${testToken.methods['balanceOf(address)']}${addressWord(address)}` },
      'latest',
    ),
  )
