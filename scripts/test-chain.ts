import { pbkdf2Sync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { HDKey } from '@scure/bip32'
import { checkAddress } from '#contract/platform/chain-address.ts'
import { decimalPlaces, parseDecimal } from '#contract/platform/decimal.ts'
import { areNodesInstalled } from '#tests/setup/chain-nodes.ts'
import {
  askNodeAt,
  createToken,
  sendTransaction,
  startEthereumNode,
  testChainId,
  tokensOf,
  transferManyTokens,
  transferTokens,
  untilMined,
} from '#tests/setup/test-chain.ts'

/*
 * A chain with a token on this computer, to try payments and payouts: `npm run test-chain` starts it, and in another
 * terminal, `npm run test-chain pay` pays an order and `npm run test-chain send` pays a payout run.
 */

const usage = `Usage:
  npm run test-chain                          start a chain and print the settings of the product
  npm run test-chain pay <address> <amount>   pay an order, in the chain's own coin (ETH)
  npm run test-chain send <file>              pay an exported payout run (.csv, or .json for a Safe)`

/** Everyone knows these words. Accounts that are derived from them hold nothing of value. */
const sampleMnemonic = `${'test '.repeat(11)}junk`
const decimals = 18
const port = Number(process.env['TEST_CHAIN_PORT'] ?? 8545)
const url = `http://127.0.0.1:${port}`
const ask = askNodeAt(url)

class Refused extends Error {}

const say = (...lines: readonly string[]): void => console.log(lines.join('\n'))

const canonical = (address: string): string => {
  const checked = checkAddress('ethereum', address, {})
  if ('problem' in checked) throw new Refused(`${address} is no Ethereum address`)
  return checked.address
}

/** The treasury, and the buyer. */
async function readAccounts(): Promise<{ treasury: string; buyer: string }> {
  const [treasury = '', buyer = ''] = (await ask<string[]>('eth_accounts')).map(canonical)
  return { treasury, buyer }
}

/** The first contract of the treasury: `start` creates the token before anything else is sent. */
async function findToken(): Promise<string> {
  type Block = { transactions: readonly { hash: string; to: string | null }[] }
  const first = await ask<Block | null>('eth_getBlockByNumber', '0x1', true)
  const created = first?.transactions.find(({ to }) => to === null)
  if (!created) throw new Refused(`the chain at ${url} has no token`)
  return canonical((await untilMined(ask, created.hash)).contractAddress!)
}

/** Orders get addresses of another account than the treasury. */
function orderKey(): string {
  const seed = pbkdf2Sync(sampleMnemonic, 'mnemonic', 2048, 64, 'sha512')
  return HDKey.fromMasterSeed(seed).derive("m/44'/60'/1'").publicExtendedKey
}

async function start(): Promise<void> {
  if (!areNodesInstalled()) say('Installing the packages of tests/chain-nodes once. This takes a minute.')
  const node = await startEthereumNode({ port, blockTime: 2 })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => {
      node.stop()
      process.exit()
    })
  const { treasury } = await readAccounts()
  await untilMined(ask, await createToken(ask, treasury, decimals))
  say(
    `A test chain runs at ${url}. It forgets everything when you stop it with Ctrl+C.`,
    'Start the product with these settings:',
    '',
    `export CHAIN_ETH_URL=${url} CHAIN_ETH_NETWORK=${testChainId} CHAIN_ETH_CONFIRMATIONS=3 CHAIN_LOOK_SECONDS=2`,
    `export CHAIN_ETH_XPUB=${orderKey()}`,
    `export TOKEN_CHAIN=ETH TOKEN_CONTRACT=${await findToken()} TOKEN_DECIMALS=${decimals}`,
    `export TOKEN_TREASURY=${treasury}`,
    '',
    'The keys are derived from words that everyone knows. Never use these addresses on another chain.',
  )
}

async function pay([address = '', amount = '']: readonly string[]): Promise<void> {
  const { buyer } = await readAccounts()
  const value = parseDecimal(amount)
  const txId = await sendTransaction(ask, { from: buyer, to: canonical(address), value })
  await untilMined(ask, txId)
  say(`Paid ${amount} ETH to ${canonical(address)} in the transaction ${txId}.`)
}

/** What a file of a payout run pays: one transaction per line of a CSV file, one for the whole file of a Safe. */
type Payment = { to: string; value: bigint; reference: string }

function readCsv(text: string): Payment[] {
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  if (head !== 'address,amount,reference,run') throw new Refused('the file is no CSV file of a payout run')
  const unit = 10n ** BigInt(decimalPlaces - decimals)
  return lines.map((line) => {
    const [to = '', amount = '', reference = ''] = line.split(',')
    return { to: canonical(to), value: parseDecimal(amount) / unit, reference }
  })
}

type SafeFile = {
  chainId: string
  transactions: { to: string; contractInputsValues?: { to: string; value: string } }[]
}

function readSafe(text: string, contract: string): Omit<Payment, 'reference'>[] {
  const { chainId, transactions } = JSON.parse(text) as SafeFile
  if (chainId !== String(testChainId)) throw new Refused(`the file is for the chain ${chainId}`)
  return transactions.map(({ to, contractInputsValues: values }) => {
    if (canonical(to) !== contract || !values) throw new Refused(`the file is for another token: ${to}`)
    return { to: canonical(values.to), value: BigInt(values.value) }
  })
}

async function sendCsv(contract: string, from: string, text: string): Promise<void> {
  const sent: { reference: string; txId: string }[] = []
  for (const { reference, to, value } of readCsv(text))
    sent.push({ reference, txId: await transferTokens(ask, { from, contract, to, value }) })
  for (const { txId } of sent) await untilMined(ask, txId)
  say('reference,txId', ...sent.map(({ reference, txId }) => `${reference},${txId}`))
}

async function sendSafe(contract: string, from: string, text: string): Promise<void> {
  const transfers = readSafe(text, contract)
  const txId = await transferManyTokens(ask, { from, contract, transfers })
  await untilMined(ask, txId)
  say(`Sent ${transfers.length} transfers in the transaction ${txId}.`)
}

async function send([file = '']: readonly string[]): Promise<void> {
  const text = readFileSync(file, 'utf8')
  const contract = await findToken()
  const { treasury } = await readAccounts()
  await (file.endsWith('.json') ? sendSafe : sendCsv)(contract, treasury, text)
  const left = await tokensOf(ask, contract, treasury)
  // Apart from the list of transactions, which can be written to a file.
  console.error(`The treasury has ${left / 10n ** BigInt(decimals)} tokens left, rounded down.`)
}

async function run([command, ...given]: readonly string[]): Promise<void> {
  if (command === undefined) return start()
  if (command === 'pay' && given.length === 2) return pay(given)
  if (command === 'send' && given.length === 1) return send(given)
  throw new Refused(usage)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isOff = error instanceof TypeError && error.message === 'fetch failed'
  console.error(
    isOff
      ? `No chain runs at ${url}. Run npm run test-chain in another terminal.`
      : String(error instanceof Error ? error.message : error),
  )
  process.exitCode = 1
}
