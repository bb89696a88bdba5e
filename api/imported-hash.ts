import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { scrypt, timingSafeEqual } from 'node:crypto'

/**
 * A password's hash that another site made. `kind` is all that its work depends on, as `bcrypt-10`, so that the same work can
 * be done for an address without one.
 */
export type ImportedHash = { kind: string; verify(password: string): Promise<boolean> }

/** How such a hash is stored: nothing that this program makes begins so. The kind stands in it to be found by a query. */
const stored = /^imported:([a-z\d]+(?:-\d+)+):(.+)$/s

/** Whoever has one is given one of this program as soon as the password is typed. */
export const isImported = (passwordHash: string | null | undefined): boolean =>
  stored.test(passwordHash ?? '')

/** The hash of another site in the form in which it is stored, or undefined where it is none that is taken over. */
export function storeImported(given: string): string | undefined {
  const read = readGiven(given)
  return read && `imported:${read.kind}:${given}`
}

/** Read as strictly as when it was imported: whatever way a hash came into the database, its work is bounded. */
export const readImported = (passwordHash: string | null | undefined): ImportedHash | undefined =>
  readGiven(stored.exec(passwordHash ?? '')?.[2] ?? '')

export const kindOfStored = (passwordHash: string): string | undefined => stored.exec(passwordHash)?.[1]

/** A hash of the kind that no password has, so that the same work is done where there is none. */
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
/** Cost 13 takes about eight times as long as this program's own hash. */
const bcryptCost = { min: 4, max: 13 }

function readBcrypt(hash: string): ImportedHash | undefined {
  const cost = Number(bcryptPattern.exec(hash)?.[1] ?? NaN)
  if (!(cost >= bcryptCost.min && cost <= bcryptCost.max)) return undefined
  return { kind: `bcrypt-${cost}`, verify: (password) => verifyBcrypt(password, hash) }
}

const argon2Pattern =
  /^\$(argon2(?:id|i|d))\$v=19\$m=([1-9]\d{0,5}),t=([1-9]\d?),p=([1-9]\d?)\$[A-Za-z\d+/]{11,86}\$[A-Za-z\d+/]{22,86}$/
/** Memory in KiB: ten times the work of this program's own hash. */
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
    // Salts and digests that are no base64 are of no password.
    verify: (password) => verifyArgon2(hash, password).catch(() => false),
  }
}

const scryptPattern =
  /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z\d+/]{11,86})\$([A-Za-z\d+/]{22,86})$/
/** In bytes: what OWASP recommends needs 128 MiB. */
const scryptMax = { memory: 128 * 2 ** 20, work: 2 ** 20 }

function readScrypt(hash: string): ImportedHash | undefined {
  const [, ln, r, p, salt, digest] = scryptPattern.exec(hash) ?? []
  if (digest === undefined) return undefined
  const [N, blockSize, parallelization] = [2 ** Number(ln), Number(r), Number(p)]
  const memory = 128 * N * blockSize
  // As OpenSSL counts it, which refuses to begin with less.
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
