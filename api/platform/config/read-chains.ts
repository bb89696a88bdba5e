import { MINUTE } from '#contract/platform/durations.ts'
import type { PayChain } from '#contract/money/sale.ts'
import { deriveAddress, readAccountKey, type AccountKey, type ChainKind } from '../chain-keys/account-key.ts'
import { bitcoinNetworkNames } from '../chain-keys/bitcoin-networks.ts'
import type { SettingReader } from './setting-reader.ts'

type ChainWay = 'bitcoin_rpc' | 'electrum' | 'ethereum_rpc'

/** A monitored chain. The address of its node is stored separately, because each instance may use a different one. */
export type ChainSetting = {
  /** Coin as in the settings, for example `BTC` for `CHAIN_BTC_URL`. */
  coin: string
  kind: ChainKind
  /** For Bitcoin, the name of the network; for Ethereum, the chain ID. */
  network: string
  way: ChainWay
  /** Number of blocks that makes a payment final. */
  confirmations: number
  /** Null: orders share the address of the sale. */
  account: AccountKey | null
  /** Whether every transfer is stored, also those to addresses that nobody asked to monitor. */
  takesAll?: boolean
  /** Contract of the token whose transfers are read instead of those of the coin. */
  contract?: string
  /** Lowest derivation index to assign, needed after restoring an older backup. */
  firstIndex: number
}

/** What the stored blocks and transfers are of. Those of one network or contract say nothing about another. */
export const networkOf = ({ kind, network, contract }: ChainSetting): string =>
  [kind, network, contract ?? ''].join(' ').trim()

export type Chains = {
  chains: readonly ChainSetting[]
  chainUrls: ReadonlyMap<string, string>
  /** Addresses of block explorers by coin, without a slash at the end. */
  explorers: ReadonlyMap<string, string>
  /** Whether payments that are exact, final, and in time complete their orders. */
  completesPaidOrders: boolean
  /** Interval between two polls of a chain, in milliseconds. */
  chainPollInterval: number
}

/**
 * Returns the monitored chain of a payment method. Undefined if the sale and the settings disagree about the kind of
 * chain, so that no one is shown an address of the wrong chain.
 */
export function chainOf(
  { chains }: Pick<Chains, 'chains'>,
  payMethod: string,
  payChain: PayChain | null,
): ChainSetting | undefined {
  const coin = coinOf(payMethod)
  const chain = chains.find((each) => each.coin === coin)
  return payChain === null || payChain === 'other' || payChain === chain?.kind ? chain : undefined
}

/** Converts a payment method to the coin name used in the settings. */
export const coinOf = (payMethod: string): string =>
  payMethod
    .toUpperCase()
    .replaceAll(/[^A-Z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')

const pattern =
  /^CHAIN_([A-Z\d]+(?:_[A-Z\d]+)*?)_(URL|XPUB|KIND|NETWORK|CONFIRMATIONS|FIRST_INDEX|EXPLORER)(?:_FILE)?$/

const codesOf = (names: readonly string[]): string[] =>
  [...new Set(names.flatMap((name) => pattern.exec(name)?.[1] ?? []))].toSorted()

/** Explorers are set by coin, also for coins that are not monitored. */
const readExplorers = ({ url }: SettingReader, codes: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    codes.flatMap((code) => {
      const address = url(`CHAIN_${code}_EXPLORER`, ['https', 'http'])
      return address === undefined ? [] : [[code, address.replace(/\/+$/, '')] as const]
    }),
  )

const kinds = ['bitcoin', 'ethereum'] as const

const kindsByCode: Readonly<Record<string, ChainKind>> = { BTC: 'bitcoin', ETH: 'ethereum' }

const confirmationsDefault = { bitcoin: 6, ethereum: 64 }

/** Reads the chains to monitor, each set by its `CHAIN_<CODE>_URL`. */
export function readChains(settings: SettingReader): Chains {
  const { given, oneOf, wholeNumber, namesLike } = settings
  const names = namesLike(pattern)
  const codes = codesOf(names.filter((name) => !name.includes('_EXPLORER')))
  const chainUrls = new Map<string, string>()
  const chains = codes.flatMap((code) => {
    const url = given(`CHAIN_${code}_URL`)
    if (url !== undefined) chainUrls.set(code, url)
    return readChain(settings, code, url) ?? []
  })
  refuseSharedKeys(settings, chains)
  const completes = oneOf('CHAIN_COMPLETE', ['off', 'exact'], 'off') === 'exact'
  if (completes && chains.length === 0)
    settings.refuse('CHAIN_COMPLETE', 'can be set only with a watched chain, such as CHAIN_BTC_URL')
  return {
    chains,
    chainUrls,
    explorers: readExplorers(settings, codesOf(names)),
    completesPaidOrders: completes,
    chainPollInterval: wholeNumber('CHAIN_LOOK_SECONDS', 15, 1, (10 * MINUTE) / 1000) * 1000,
  }
}

/**
 * Rejects a key that two codes share on one network: each code counts its addresses separately, so two orders would get
 * the same one.
 */
function refuseSharedKeys({ refuse }: SettingReader, chains: readonly ChainSetting[]): void {
  const codes = new Map<string, string>()
  for (const { coin, kind, network, account } of chains) {
    if (account === null) continue
    const first = `${kind} ${network} ${deriveAddress(account, 0, kind, network).target}`
    const other = codes.get(first)
    if (other !== undefined)
      refuse(`CHAIN_${coin}_XPUB`, `must be a different account from CHAIN_${other}_XPUB`)
    codes.set(first, coin)
  }
}

function readChain(
  { given, refuse, oneOf, wholeNumber, url: checkedUrl }: SettingReader,
  code: string,
  url: string | undefined,
): ChainSetting | undefined {
  const name = (part: string) => `CHAIN_${code}_${part}`
  const named = (part: string) => given(name(part)) !== undefined
  const known = kindsByCode[code]
  if (known === undefined && !named('KIND'))
    refuse(name('KIND'), `must be the type of the ${code} chain: ${kinds.join(' or ')}`)
  const kind = oneOf(name('KIND'), kinds, known ?? 'bitcoin')
  const network =
    kind === 'bitcoin'
      ? oneOf(name('NETWORK'), bitcoinNetworkNames, 'main')
      : String(wholeNumber(name('NETWORK'), 1, 1, Number.MAX_SAFE_INTEGER))
  const key = given(name('XPUB'))
  const account = key === undefined ? null : readAccountKey(key, { coin: code, kind, network })
  if (account && 'demand' in account) return refuse(name('XPUB'), account.demand)
  const setting = {
    coin: code,
    kind,
    network,
    confirmations: wholeNumber(name('CONFIRMATIONS'), confirmationsDefault[kind], 1, 1000),
    account,
    firstIndex: wholeNumber(name('FIRST_INDEX'), 0, 0, 2 ** 31 - 2),
  }
  if (url === undefined) {
    // Without monitoring, no one would notice payments to these addresses.
    if (account) refuse(name('XPUB'), `can be set only with ${name('URL')}, which watches its addresses`)
    return undefined
  }
  checkedUrl(name('URL'), kind === 'bitcoin' ? ['http', 'https', 'tcp', 'ssl'] : ['http', 'https'])
  return { ...setting, way: wayOf(kind, url, (demand) => refuse(name('URL'), demand)) }
}

function wayOf(kind: ChainKind, url: string, refuse: (demand: string) => never): ChainWay {
  if (kind === 'ethereum') return 'ethereum_rpc'
  const { protocol, port } = new URL(url)
  if (protocol === 'http:' || protocol === 'https:') return 'bitcoin_rpc'
  if (port === '')
    refuse('must include the port of the Electrum server, such as ssl://electrum.example:50002')
  return 'electrum'
}
