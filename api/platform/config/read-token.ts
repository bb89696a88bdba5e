import { tokenCoin } from '#contract/money/chain-payments.ts'
import { checkAddress } from '#contract/platform/chain-address.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { targetOf } from '../chain-keys/account-key.ts'
import type { Chains, ChainSetting } from './read-chains.ts'
import type { SettingReader } from './setting-reader.ts'

/** What payouts need to know about the token. The format of its addresses is content (`brand.json`, `chain`). */
export type TokenSetting = {
  /** `own` without a network of a known kind, otherwise the kind and the network: `ethereum 1`, `bitcoin main`. */
  network: string
  kind: 'own' | 'ethereum' | 'bitcoin'
  /** ID of an Ethereum chain, if it is known. */
  chainId: string | null
  /** The ERC-20 contract in its canonical form; empty for a chain's own coin. */
  contract: string
  decimals: number
  /** Address of the token's block explorer, without a slash at the end; null for that of the brand. */
  explorer: string | null
  /** The node from which transfers of the token are read; null if they are recorded by hand. */
  watch: TokenWatch | null
}

export type TokenWatch = {
  /** The chain under the reserved name of the token. */
  chain: ChainSetting
  url: string
  /** Addresses that tokens are sent from, as the chain names them. Empty on chains whose transfers name no sender. */
  treasury: readonly string[]
}

type TokenFormat = 'bitcoin' | 'bech32' | 'ethereum' | 'other'

/** An order has 8 decimal places, so a token with fewer could not be delivered exactly. */
const decimalsMin = 8

const noChains = { chains: [], chainUrls: new Map<string, string>(), explorers: new Map<string, string>() }

/** Reads the settings of the token for a brand whose addresses have the given format. */
export function readToken(
  settings: Pick<SettingReader, 'given' | 'refuse' | 'wholeNumber' | 'url'>,
  format: TokenFormat = formatOfBrand(),
  chains: Pick<Chains, 'chains' | 'chainUrls' | 'explorers'> = noChains,
): { token: TokenSetting } {
  const isEthereum = format === 'ethereum'
  const { wholeNumber } = settings
  const contract = readContract(settings, isEthereum)
  const decimals = wholeNumber('TOKEN_DECIMALS', isEthereum ? 18 : decimalsMin, decimalsMin, 18)
  const chain = readTokenChain(settings, chains, format)
  const explorer =
    settings.url('TOKEN_EXPLORER', ['https', 'http'])?.replace(/\/+$/, '') ??
    (chain && chains.explorers.get(chain.coin)) ??
    null
  const watch = chain && {
    chain: { ...chain, coin: tokenCoin, account: null, takesAll: chain.kind === 'ethereum', contract },
    url: chains.chainUrls.get(chain.coin)!,
    treasury: readTreasury(settings, chain),
  }
  return {
    token: { contract, decimals, explorer, watch: watch ?? null, ...readNetwork(settings, format, chain) },
  }
}

/** Returns the chain whose node is asked for transfers of the token. */
function readTokenChain(
  { given, refuse }: Pick<SettingReader, 'given' | 'refuse'>,
  { chains }: Pick<Chains, 'chains'>,
  format: TokenFormat,
): ChainSetting | undefined {
  const code = given('TOKEN_CHAIN')
  if (code === undefined) {
    if (given('TOKEN_TREASURY') !== undefined) refuse('TOKEN_TREASURY', 'can be set only with TOKEN_CHAIN')
    return undefined
  }
  const chain = chains.find(({ coin }) => coin === code.toUpperCase())
  if (!chain) return refuse('TOKEN_CHAIN', 'must be the code of a chain, such as ETH for CHAIN_ETH_URL')
  if (chain.kind !== format)
    refuse('TOKEN_CHAIN', 'must be a chain whose addresses have the format of `chain` in content/brand.json')
  return chain
}

function readTreasury(
  { given, refuse }: Pick<SettingReader, 'given' | 'refuse'>,
  { kind, network }: ChainSetting,
): string[] {
  const text = given('TOKEN_TREASURY')
  if (kind === 'bitcoin') {
    if (text !== undefined) refuse('TOKEN_TREASURY', 'can’t be set for a Bitcoin-like chain')
    return []
  }
  const addresses = (text ?? '').split(',').flatMap((each) => each.trim() || [])
  if (addresses.length === 0) refuse('TOKEN_TREASURY', 'must be the addresses that tokens are sent from')
  return addresses.map(
    (address) =>
      targetOf(address, kind, network) ??
      refuse('TOKEN_TREASURY', 'must be Ethereum addresses with a correct checksum, separated by commas'),
  )
}

function formatOfBrand(): TokenFormat {
  const { format = 'bitcoin' } = brand.chain as { format?: TokenFormat }
  return format
}

function readContract(
  { given, refuse }: Pick<SettingReader, 'given' | 'refuse'>,
  isEthereum: boolean,
): string {
  const text = given('TOKEN_CONTRACT')
  if (text === undefined) return ''
  if (!isEthereum)
    refuse('TOKEN_CONTRACT', 'can be set only if `chain.format` in content/brand.json is `ethereum`')
  const checked = checkAddress('ethereum', text, {})
  return 'address' in checked
    ? checked.address
    : refuse('TOKEN_CONTRACT', 'must be the address of the token’s contract, with a correct checksum')
}

function readNetwork(
  { given, refuse }: Pick<SettingReader, 'given' | 'refuse'>,
  format: TokenFormat,
  chain: ChainSetting | undefined,
): Pick<TokenSetting, 'network' | 'kind' | 'chainId'> {
  if (chain && given('TOKEN_NETWORK') !== undefined)
    refuse('TOKEN_NETWORK', 'can’t be set with TOKEN_CHAIN, whose network applies')
  const text = chain?.network ?? given('TOKEN_NETWORK')
  if (format === 'ethereum') {
    if (text !== undefined && !/^[1-9]\d{0,15}$/.test(text))
      refuse('TOKEN_NETWORK', 'must be the ID of an Ethereum chain, such as 1')
    const network = text === undefined ? 'ethereum' : `ethereum ${text}`
    return { kind: 'ethereum', network, chainId: text ?? null }
  }
  if (text !== undefined && !/^[a-z\d]{1,20}$/.test(text))
    refuse('TOKEN_NETWORK', 'must be the name of a network, such as main')
  return format === 'bitcoin'
    ? { kind: 'bitcoin', network: `bitcoin ${text ?? 'main'}`, chainId: null }
    : { kind: 'own', network: 'own', chainId: null }
}
