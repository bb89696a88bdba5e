import { checkAddress } from '#contract/platform/chain-address.ts'
import brand from '#content/brand.json' with { type: 'json' }
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
}

type TokenFormat = 'bitcoin' | 'bech32' | 'ethereum' | 'other'

/** An order has 8 decimal places, so a token with fewer could not be delivered exactly. */
const decimalsMin = 8

/** Reads the settings of the token for a brand whose addresses have the given format. */
export function readToken(
  settings: Pick<SettingReader, 'given' | 'refuse' | 'wholeNumber' | 'url'>,
  format: TokenFormat = formatOfBrand(),
): { token: TokenSetting } {
  const isEthereum = format === 'ethereum'
  const { wholeNumber } = settings
  const contract = readContract(settings, isEthereum)
  const decimals = wholeNumber('TOKEN_DECIMALS', isEthereum ? 18 : decimalsMin, decimalsMin, 18)
  const explorer = settings.url('TOKEN_EXPLORER', ['https', 'http'])?.replace(/\/+$/, '') ?? null
  return { token: { contract, decimals, explorer, ...readNetwork(settings, format) } }
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
): Pick<TokenSetting, 'network' | 'kind' | 'chainId'> {
  const text = given('TOKEN_NETWORK')
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
