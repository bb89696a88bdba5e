import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress, type AddressProblem, type TokenChain } from '#contract/chain-address.ts'
import { signOf, type Sign } from './clean-text.ts'
import type { Judged } from './judged.ts'
import type { Known, Ours } from './ours.ts'
import { isNear } from './skeleton.ts'

const token = brand.chain as TokenChain
const chains = ['ethereum', 'bitcoin', 'token'] as const

/** `problem` where it looks like an address and is none. */
export type ReadCoin = { address: string; problem: AddressProblem | undefined }

const looks = [
  /^0x[\da-f]{30,64}$/i,
  /^[a-z]{2,10}1[02-9ac-hj-np-z]{20,100}$/i,
  /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[1-9A-HJ-NP-Za-km-z]{25,64}$/,
  /^[EU]Q[\w-]{46}$/,
]
const schemes =
  /^(?:bitcoin|ethereum|litecoin|bitcoincash|dogecoin|solana|tron|cosmos|ripple|cardano|pay):(?:\/\/)?(?:pay-)?/i

/** An address of a coin, with or without `bitcoin:` before it and an amount behind. */
export function readCoin(text: string): ReadCoin | undefined {
  const isNamed = schemes.test(text)
  const given = text.replace(schemes, '').replace(/[@?/;].*$/, '')
  const checked = chains.map((chain) => checkAddress(chain, given, token))
  for (const each of checked) if ('address' in each) return { address: each.address, problem: undefined }
  if (!isNamed && !looks.some((pattern) => pattern.test(given))) return undefined
  if (!/^[\w:-]{14,128}$/.test(given)) return undefined
  const telling = checked.flatMap((each) =>
    'problem' in each &&
    ['address_checksum', 'address_test_network', 'address_mixed_case'].includes(each.problem)
      ? [each.problem]
      : [],
  )
  return { address: given, problem: telling[0] }
}

/** As it is compared: an address of Ethereum says the same in small letters. */
export const canonicalCoin = (address: string): string =>
  /^0x/i.test(address) ? address.toLowerCase() : address

export function judgeCoin({ address, problem }: ReadCoin, known: Known): Judged {
  const canonical = canonicalCoin(address)
  const signs: Sign[] = []
  const base = { kind: 'coin' as const, leadsTo: null, keys: [`coin:${canonical}`] }
  const ours = known.coins.find(({ value }) => canonicalCoin(value) === canonical)
  if (ours) return { ...base, official: ours, signs }
  if (problem === 'address_test_network') signs.push(signOf('test_network'))
  else if (problem !== undefined) signs.push(signOf('checksum', address))
  const poisoned = known.coins.find(({ value }) => isLike(canonicalCoin(value), canonical))
  if (poisoned) signs.unshift(signOf('address_poisoning', address, nameOf(poisoned)))
  return { ...base, official: null, signs }
}

const nameOf = ({ name }: Ours): string => name

/** What people compare: the beginning behind what all of a chain begin with, and the end. */
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
