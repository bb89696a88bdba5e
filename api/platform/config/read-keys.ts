import { commandLine } from '../command-line.ts'
import type { SettingReader } from './setting-reader.ts'

/** Reads the master key and, during rotation, the next one. */
export function readKeys(
  { given, refuse }: SettingReader,
  { databaseUrl }: { databaseUrl: string | undefined },
) {
  const nextEncryptionKey = readKey(given('NEXT_ENCRYPTION_KEY'), (demand) =>
    refuse('NEXT_ENCRYPTION_KEY', demand),
  )
  const encryptionKey = readKey(given('ENCRYPTION_KEY'), (demand) => refuse('ENCRYPTION_KEY', demand), {
    // A weak key is accepted while it is being replaced.
    mayBeWeak: nextEncryptionKey !== undefined,
  })
  // If production is only assumed, an installation's existing key file still counts.
  if (given('NODE_ENV') === 'production' && databaseUrl && !encryptionKey)
    refuse(
      'ENCRYPTION_KEY',
      'must be set in production with DATABASE_URL: 32 random bytes in base64 or hexadecimal',
    )
  return { encryptionKey, nextEncryptionKey }
}

/** 32 bytes in base64 or hexadecimal. Guessable keys are refused. */
function readKey(
  text: string | undefined,
  refuse: (demand: string) => never,
  { mayBeWeak = false } = {},
): Buffer | undefined {
  if (text === undefined) return undefined
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== 32) return refuse('must be 32 bytes in base64 or hexadecimal')
  if (mayBeWeak || !isGuessable(key)) return key
  return refuse(
    `must be 32 random bytes that can’t be guessed, such as the output of openssl rand -base64 32 (to re-encrypt existing data, set NEXT_ENCRYPTION_KEY and run ${commandLine('keys:rotate')})`,
  )
}

/** Random keys match less than once in a billion: few different bytes, only letters, or evenly spaced bytes. */
function isGuessable(key: Buffer): boolean {
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f)
  const steps = new Set(key.subarray(1).map((byte, at) => byte - key[at]!))
  return isText || new Set(key).size < 16 || steps.size < 8
}
