import { createHash, createHmac } from 'node:crypto'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { transactionKey } from '#api/money/orders/payment.rules.ts'

/** The columns of a row as PostgreSQL writes them; null for NULL. */
export type Row = Readonly<Record<string, string | null>>

/** Returns the replacement of a value that is neither NULL nor empty. */
type Replace = (value: string, row: Row) => string

/** The product never sends email to this domain (`api/platform/mail/deliver-mail.ts`). */
const domain = 'people.example'

const countries = [
  ['Brazil', 'BR'],
  ['Canada', 'CA'],
  ['Japan', 'JP'],
  ['Kenya', 'KE'],
  ['Norway', 'NO'],
  ['Singapore', 'SG'],
] as const

const filler = 'Sample text. '
const fill = (length: number): string => filler.repeat(Math.ceil(length / filler.length)).slice(0, length)
/** As long as before, so that the copy has the size of the original. Never ends with a space, which some fields reject. */
const textLike = (value: string): string => `${fill(Array.from(value).length - 1)}.`

/** Columns of all rows about the same person, in order of preference. */
const personOf = (row: Row, value: string): string => row['member_id'] ?? row['id'] ?? value

const isPublished = (row: Row): boolean =>
  'state' in row ? row['state'] === 'published' : row['published_at'] !== null

const base58check = createBase58check((data: Uint8Array) => createHash('sha256').update(data).digest())

/** Replaces what an address pays to, and keeps its format and network, so that the product accepts it. */
function addressLike(value: string, digest: Buffer): string | undefined {
  if (/^0x[\da-f]{40}$/i.test(value)) return `0x${digest.toString('hex').slice(0, 40)}`
  for (const codec of [bech32, bech32m]) {
    const decoded = codec.decodeUnsafe(value)
    const [version, ...program] = decoded?.words ?? []
    if (!decoded || version === undefined) continue
    const { length } = codec.fromWords(program)
    return codec.encode(decoded.prefix, [version, ...codec.toWords(digest.subarray(0, length))])
  }
  try {
    const bytes = base58check.decode(value)
    return base58check.encode(Buffer.concat([bytes.subarray(0, 1), digest.subarray(0, bytes.length - 1)]))
  } catch {
    return undefined
  }
}

/**
 * Replaces values consistently within one copy: equal values get equal replacements, which can't be reversed or computed
 * again without the key. Names, countries, and dates of birth depend on the person instead of the value, because the
 * frequency of a value would reveal it.
 */
export function makePseudonyms(key: Buffer) {
  const digest = (kind: string, value: string): Buffer =>
    createHmac('sha256', key).update(`${kind}\n${value}`).digest()
  const code = (kind: string, value: string, length: number): string =>
    digest(kind, value).toString('hex').slice(0, length)
  /** As long as before, and long enough that no two values get the same one. */
  const opaque = (value: string): string => code('value', value, Math.max(16, value.length))
  const lastName = (value: string, row: Row): string => code('person', personOf(row, value), 8)
  const country = (value: string, row: Row) =>
    countries[digest('country', personOf(row, value))[0]! % countries.length]!
  return {
    text: textLike,
    email: (value) => `person-${code('email', value.toLowerCase(), 16)}@${domain}`,
    firstName: () => 'Person',
    lastName,
    name: (value, row) => `Person ${lastName(value, row)}`,
    phone: (value, row) => `+999 ${digest('phone', personOf(row, value)).readUInt32BE()}`,
    birthDate: (value, row) => {
      const [year, month, day] = digest('birth', personOf(row, value))
      const twoDigits = (number: number) => String(number).padStart(2, '0')
      return `19${twoDigits(50 + (year! % 50))}-${twoDigits(1 + (month! % 12))}-${twoDigits(1 + (day! % 28))}`
    },
    country: (value, row) => country(value, row)[0],
    countryCode: (value, row) => country(value, row)[1],
    city: () => 'Sample city',
    address: (value) => addressLike(value, digest('address', value.toLowerCase())) ?? opaque(value),
    transaction: (value) => {
      const known = transactionKey(value)
      // A placeholder stays one.
      if (known === '') return '-'
      const replaced = code('transaction', known, Math.max(16, known.length))
      return /^0x/i.test(value) ? `0x${replaced}` : replaced
    },
    opaque,
    link: (value) => `https://${code('link', value, 16)}.example/`,
    network: (value) => `2001:db8::${code('network', value, 4)}`,
    device: () => 'Browser · System',
    fileKey: (value) => value.replace(/[^/]*$/, opaque),
    decimal: (value) => (/^-?\d+(?:\.\d+)?$/.test(value) ? value : textLike(value)),
    draft: (value, row) => (isPublished(row) ? value : textLike(value)),
    draftSlug: (value, row) => (isPublished(row) ? value : `draft-${code('slug', value, 16)}`),
    draftList: (value, row) => (isPublished(row) ? value : '{}'),
    zero: () => '0',
    no: () => 'f',
  } as const satisfies Record<string, Replace>
}

export type Pseudonyms = ReturnType<typeof makePseudonyms>
export type Kind = keyof Pseudonyms

/** How fields of JSON are replaced, by name or by the last part of a path such as `BTC.receivingAddress`. */
const fieldKinds: Readonly<Record<string, Kind | 'keep'>> = {
  ...Object.fromEntries(
    'action amount currency disputed fabQty field paidAmount paidAt paidOn path payMethod reportedLate seen state status'
      .split(' ')
      .map((name) => [name, 'keep']),
  ),
  address: 'address',
  btcAddress: 'address',
  country: 'country',
  dateOfBirth: 'birthDate',
  email: 'email',
  ethAddress: 'address',
  fabAddress: 'address',
  firstName: 'firstName',
  fullName: 'firstName',
  lastName: 'lastName',
  receivingAddress: 'address',
  refundAddress: 'address',
  transaction: 'transaction',
  txId: 'transaction',
}

/** A change in the details of an audit log entry. */
const describedChange = /^(\w+): ([\s\S]*) → ([\s\S]*)$/

/**
 * Replaces the text in JSON. Text of an unknown field is kept in JSON of the `project`, and replaced in JSON about a
 * `person`. Records of a change name the field in `field` or `path` and have its values beside it.
 */
export function scrubJson(
  pseudonyms: Pseudonyms,
  subject: 'project' | 'person',
  value: unknown,
  row: Row,
): unknown {
  const replace = (text: string, field: string, otherwise = subject): string => {
    const kind = fieldKinds[field.split('.').at(-1)!] ?? (otherwise === 'project' ? 'keep' : 'text')
    return kind === 'keep' || text === '' || text === '–' ? text : pseudonyms[kind](text, row)
  }
  const walk = (node: unknown, field: string): unknown => {
    if (Array.isArray(node)) return node.map((each) => walk(each, field))
    if (node !== null && typeof node === 'object') {
      const { field: changed, path = changed } = node as { field?: unknown; path?: unknown }
      const isOfChange = (name: string) =>
        typeof path === 'string' && /^(?:before|after|from|to)$/.test(name) ? path : name
      return Object.fromEntries(
        Object.entries(node).map(([name, each]) => [name, walk(each, isOfChange(name))]),
      )
    }
    if (typeof node !== 'string') return node
    const [, of, before, after] = (field === 'changes' && describedChange.exec(node)) || []
    return of === undefined
      ? replace(node, field)
      : `${of}: ${replace(before!, of, 'person')} → ${replace(after!, of, 'person')}`
  }
  return walk(value, '')
}
