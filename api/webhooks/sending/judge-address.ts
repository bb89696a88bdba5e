import { isIP } from 'node:net'

/**
 * What an address is to a program that calls the addresses which operators type. `never`: nobody means it, and whoever types it may mean
 * the machine behind it, such as the metadata of a cloud.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'never'

type Range = readonly [network: string, bits: number, kind: Exclude<AddressKind, 'public'>]

/** The registry of special-purpose addresses (RFC 6890), multicast and reserved ones, and the metadata of clouds. */
const ranges4: readonly Range[] = [
  ['127.0.0.0', 8, 'loopback'],
  // Alibaba’s metadata, within what carriers share.
  ['100.100.100.200', 32, 'never'],
  ['10.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['0.0.0.0', 8, 'never'],
  ['169.254.0.0', 16, 'never'],
  // Azure’s, which looks public.
  ['168.63.129.16', 32, 'never'],
  ['192.0.0.0', 24, 'never'],
  ['192.0.2.0', 24, 'never'],
  ['192.31.196.0', 24, 'never'],
  ['192.52.193.0', 24, 'never'],
  ['192.88.99.0', 24, 'never'],
  ['192.175.48.0', 24, 'never'],
  ['198.18.0.0', 15, 'never'],
  ['198.51.100.0', 24, 'never'],
  ['203.0.113.0', 24, 'never'],
  ['224.0.0.0', 3, 'never'],
]

/** Only 2000::/3 is handed out; within it, what leads elsewhere (Teredo, 6to4) or nowhere (documentation) is not called either. */
const ranges6: readonly Range[] = [
  ['::1', 128, 'loopback'],
  ['fd00:ec2::254', 128, 'never'],
  ['fd20:ce::254', 128, 'never'],
  ['fc00::', 7, 'private'],
  ['2001::', 23, 'never'],
  ['2001:db8::', 32, 'never'],
  ['2002::', 16, 'never'],
  ['2620:4f:8000::', 48, 'never'],
  ['3fff::', 20, 'never'],
]

const bits4 = 32
const bits6 = 128

const number4 = (address: string): bigint =>
  address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)

/** What `isIP` takes, also with an IPv4 address at its end. */
function number6(address: string): bigint {
  const whole = address.replace(/[^:]*\.[^:]*$/, (tail) => {
    const number = number4(tail)
    return `${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`
  })
  const [before = '', after] = whole.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [head, tail] = [groups(before), groups(after ?? '')]
  const zeros = after === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}

const read = (ranges: readonly Range[], toNumber: (address: string) => bigint, size: number) =>
  ranges.map(([network, bits, kind]) => {
    const shift = BigInt(size - bits)
    return { prefix: toNumber(network) >> shift, shift, kind }
  })

const known4 = read(ranges4, number4, bits4)
const known6 = read(ranges6, number6, bits6)

const globalUnicast = 0b001n
/** ISATAP: an IPv4 address within any prefix. */
const isatap = new Set([0x00005efen, 0x02005efen])

export function judgeAddress(address: string): AddressKind {
  const version = isIP(address)
  // A zone is of this machine.
  if (version === 0 || address.includes('%')) return 'never'
  const number = version === 4 ? number4(address) : number6(address)
  const found = (version === 4 ? known4 : known6).find(({ prefix, shift }) => number >> shift === prefix)
  if (found) return found.kind
  if (version === 4) return 'public'
  if (isatap.has((number >> 32n) & 0xffffffffn)) return 'never'
  return number >> 125n === globalUnicast ? 'public' : 'never'
}
