import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { scrypt, timingSafeEqual } from 'node:crypto'

/**
 * A password hash created by another site. `kind` determines the cost of verifying it, for example `bcrypt-10`, so that
 * the same work can be done for an address without one.
 */
type ImportedHash = { kind: string; verify(password: string): Promise<boolean> }

/**
 * Format in which such a hash is stored: no hash of this system starts like this. It contains the kind so that queries
 * can find it.
 */
const stored = /^imported:([a-z\d]+(?:-\d+)+):(.+)$/s

/** Whether the hash was imported. It is replaced by one of our own as soon as the member enters the password. */
export const isImported = (passwordHash: string | null | undefined): boolean =>
  stored.test(passwordHash ?? '')

/** Returns the stored form of another site's hash, or undefined if its format is not supported. */
export function storeImported(given: string): string | undefined {
  const read = readGiven(given)
  return read && `imported:${read.kind}:${given}`
}

/** Parses as strictly as the import: however a hash got into the database, its cost is bounded. */
export const readImported = (passwordHash: string | null | undefined): ImportedHash | undefined =>
  readGiven(stored.exec(passwordHash ?? '')?.[2] ?? '')

export const kindOfStored = (passwordHash: string): string | undefined => stored.exec(passwordHash)?.[1]

/** Returns a hash of this kind that matches no password, so that the same work is done if there is none. */
export function dummyOf(kind: string): ImportedHash | undefined {
  const [name = '', ...costs] = kind.split('-')
  const [first = '', second = '', third = ''] = costs
  if (name === 'bcrypt') return readGiven(`$2b$${first.padStart(2, '0')}$${'.'.repeat(53)}`)
  const rest = `${'A'.repeat(22)}$${'A'.repeat(43)}`
  return name === 'scrypt'
    ? readGiven(`$scrypt$ln=${first},r=${second},p=${third}$${rest}`)
    : readGiven(`$${name}$v=19$m=${first},t=${second},p=${third}$${rest}`)
}

const readGiven = (given: string): ImportedHash | undefined =>
  readBcrypt(given) ?? readArgon2(given) ?? readScrypt(given)

const bcryptPattern = /^\$2[aby]\$(\d\d)\$[./A-Za-z\d]{53}$/
/** Higher costs would occupy the hashing lanes for much longer than our own hash does. */
const bcryptCost = { min: 4, max: 13 }

function readBcrypt(hash: string): ImportedHash | undefined {
  const cost = Number(bcryptPattern.exec(hash)?.[1] ?? NaN)
  if (!(cost >= bcryptCost.min && cost <= bcryptCost.max)) return undefined
  return { kind: `bcrypt-${cost}`, verify: (password) => verifyBcrypt(password, hash) }
}

const argon2Pattern =
  /^\$(argon2(?:id|i|d))\$v=19\$m=([1-9]\d{0,5}),t=([1-9]\d?),p=([1-9]\d?)\$[A-Za-z\d+/]{11,86}\$[A-Za-z\d+/]{22,86}$/
/** Memory in KiB, and the total work: ten times that of our own hash. */
const argon2Max = { memory: 131_072, work: 400_000, lanes: 16 }

function readArgon2(hash: string): ImportedHash | undefined {
  const [, variant, ...costs] = argon2Pattern.exec(hash) ?? []
  if (!variant) return undefined
  const [memory = 0, passes = 0, lanes = 0] = costs.map(Number)
  const isBounded =
    memory <= argon2Max.memory && memory * passes <= argon2Max.work && lanes <= argon2Max.lanes
  if (!isBounded || memory < 8 * lanes) return undefined
  return {
    kind: `${variant}-${memory}-${passes}-${lanes}`,
    // Salts and digests that are not base64 match no password.
    verify: (password) => verifyArgon2(hash, password).catch(() => false),
  }
}

const scryptPattern =
  /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z\d+/]{11,86})\$([A-Za-z\d+/]{22,86})$/
/** Maximum memory in bytes, and work: OWASP's recommendation needs 128 MiB. */
const scryptMax = { memory: 128 * 2 ** 20, work: 2 ** 20 }

function readScrypt(hash: string): ImportedHash | undefined {
  const [, ln, r, p, salt, digest] = scryptPattern.exec(hash) ?? []
  if (digest === undefined) return undefined
  const [N, blockSize, parallelization] = [2 ** Number(ln), Number(r), Number(p)]
  const memory = 128 * N * blockSize
  // Computed as in OpenSSL, which refuses to start with less.
  const maxmem = memory + 128 * blockSize * (parallelization + 2) + 2 ** 20
  if (memory > scryptMax.memory || N * blockSize * parallelization > scryptMax.work) return undefined
  return {
    kind: `scrypt-${ln}-${r}-${p}`,
    verify: async (password) => {
      const expected = Buffer.from(digest, 'base64')
      const options = { N, r: blockSize, p: parallelization, maxmem }
      const made = await new Promise<Buffer>((resolve, reject) =>
        scrypt(password, Buffer.from(salt!, 'base64'), expected.length, options, (error, key) =>
          error ? reject(error) : resolve(key),
        ),
      )
      return timingSafeEqual(made, expected)
    },
  }
}
