import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress, type AddressProblem, type TokenChain } from '#contract/platform/chain-address.ts'
import { signOf } from './clean-text.ts'
import { judged, type Judged, type Known, type Ours } from './official-channel.ts'
import { isNear, skeletonOf } from './skeleton.ts'

const token = brand.chain as TokenChain
const chains = ['ethereum', 'bitcoin', 'token'] as const

/**
 * `problem` is set if the text looks like an address but is invalid. `more`: a suffix that may determine where the
 * money goes. `scheme`: the prefix.
 */
type ReadCoin = { address: string; problem: AddressProblem | undefined; scheme: string; more: string }

const looks = [
  /^0x[\da-f]{30,64}$/i,
  /^[a-z]{2,10}1[02-9ac-hj-np-z]{20,100}$/i,
  /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[1-9A-HJ-NP-Za-km-z]{25,64}$/,
  /^[EU]Q[\w-]{46}$/,
]
const otherSchemes = 'litecoin bitcoincash dogecoin solana tron cosmos ripple cardano pay'.split(' ')
const schemes = new RegExp(String.raw`^(bitcoin|ethereum|${otherSchemes.join('|')}):(?:\/\/)?(?:pay-)?`, 'i')

/** Parameters that wallets treat as text for the reader, or as the amount but not the recipient. */
const harmless = /^(?:amount|label|message|value|gas|gaslimit|gasprice)$/i
const tellingProblems: readonly string[] = [
  'address_checksum',
  'address_test_network',
  'address_mixed_case',
] satisfies AddressProblem[]

/** Parses a coin address, with or without a scheme such as `bitcoin:` before it and an amount after it. */
export function readCoin(text: string): ReadCoin | undefined {
  const scheme = schemes.exec(text)?.[1]?.toLowerCase() ?? ''
  const bare = text.replace(schemes, '')
  const given = scheme === '' ? bare : bare.replace(/[@?/;&#].*$/, '')
  const read = { scheme, more: moreIn(bare.slice(given.length), scheme) }
  const checked = chains.map((chain) => checkAddress(chain, given, token))
  for (const each of checked)
    if ('address' in each) return { ...read, address: each.address, problem: undefined }
  if (scheme === '' && !looks.some((pattern) => pattern.test(given))) return undefined
  if (!/^[\w:-]{14,128}$/.test(given)) return undefined
  const problems = checked.flatMap((each) => ('problem' in each ? [each.problem] : []))
  return { ...read, address: given, problem: problems.find((each) => tellingProblems.includes(each)) }
}

/** Returns the part of the suffix that is more than an amount: a second way to pay, or a contract call. */
function moreIn(behind: string, scheme: string): string {
  const query = scheme === 'ethereum' ? behind.replace(/^@1(?=$|\?)/, '') : behind
  if (query === '') return ''
  if (!query.startsWith('?') || query.includes('#')) return behind
  const isHarmless = [...new URLSearchParams(query)].every(
    ([name, value]) => harmless.test(name) && !/:\/|@/.test(value),
  )
  return isHarmless ? '' : behind
}

/** Canonical form for comparison: the case of an Ethereum address doesn't matter. */
export const canonicalCoin = (address: string): string =>
  /^0x/i.test(address) ? address.toLowerCase() : address

export function classifyCoin(coin: ReadCoin, known: Known): Judged {
  const canonical = canonicalCoin(coin.address)
  const ours = known.coins.find(({ value }) => canonicalCoin(value) === canonical)
  const keys = [`coin:${canonical}`]
  return judged('coin', { keys, ...(ours ? judgeOurs(coin, ours) : { signs: foreignSigns(coin, known) }) })
}

function judgeOurs({ address, problem, scheme, more }: ReadCoin, ours: Ours) {
  const signs = more === '' ? [] : [signOf('carries_more', more)]
  // The same address may be valid for two coins, and payments in the other one are lost.
  if (scheme !== '' && !schemesOf(ours).includes(scheme))
    return { signs: [...signs, signOf('other_scheme', `${scheme}:`)] }
  // Wallets reject it, and an attacker who changed its letters may have changed more.
  if (problem !== undefined) return { signs: [signOf('address_letters', address, ours.name), ...signs] }
  return { official: ours, signs }
}

function foreignSigns({ address, problem }: ReadCoin, known: Known) {
  const canonical = canonicalCoin(address)
  const signs =
    problem === 'address_test_network'
      ? [signOf('test_network')]
      : problem === undefined
        ? []
        : [signOf('checksum', address)]
  const alike = findAlike(address, known)
  if (alike) return [signOf('address_letters', address, alike.name), ...signs]
  const poisoned = known.coins.find(({ value }) => isLike(canonicalCoin(value), canonical))
  return poisoned ? [signOf('address_poisoning', address, poisoned.name), ...signs] : signs
}

/** Finds one of our addresses that reads the same: in another case, with letters of other scripts, or O for 0. */
const findAlike = (address: string, known: Known): Ours | undefined => {
  const seen = skeletonOf(address)
  return known.coins.find(({ value }) => skeletonOf(value) === seen)
}

/** Shorter texts resemble too many others. */
const alikeLengthMin = 20

/**
 * Recognizes texts that are no valid address but that people mistake for one of ours: Base58 has no O and no Cyrillic
 * letters.
 */
export function classifyAlikeCoin(text: string, known: Known): Judged | undefined {
  const address = text.replace(schemes, '').replace(/[?/;&#].*$/, '')
  const seen = skeletonOf(address)
  if (seen.length < alikeLengthMin) return undefined
  const alike =
    findAlike(address, known) ?? known.coins.find(({ value }) => isNear(skeletonOf(value), seen, 2))
  return alike && judged('coin', { signs: [signOf('address_letters', address, alike.name)] })
}

function schemesOf({ chain, value }: Ours): readonly string[] {
  const of = chain ?? (/^0x/i.test(value) ? 'ethereum' : /^(?:bc1|[13])/i.test(value) ? 'bitcoin' : undefined)
  return of === 'ethereum' || of === 'bitcoin' ? [of] : otherSchemes
}

/** Compares the parts that people look at: the start, after the prefix common to the chain, and the end. */
function isLike(ours: string, given: string): boolean {
  if (isNear(ours, given, 2)) return true
  const [one, other] = [bodyOf(ours), bodyOf(given)]
  const begins = sharedLength(one, other)
  const ends = sharedLength([...one].toReversed().join(''), [...other].toReversed().join(''))
  return (begins >= 3 && ends >= 3) || begins >= 7 || ends >= 7
}

const bodyOf = (address: string): string =>
  address.toLowerCase().replace(/^0x|^[a-z]{2,10}1[qp]?(?=.{20})|^[13FLTD](?=.{20})/i, '')

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
