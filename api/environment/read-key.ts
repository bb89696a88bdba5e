/** 32 bytes in base64 or hexadecimal. Guessable keys are refused. */
export function readKey(
  text: string | undefined,
  refuse: (demand: string) => never,
  { mayBeWeak = false } = {},
): Buffer | undefined {
  if (text === undefined) return undefined
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== 32) return refuse('must be 32 bytes in base64 or hexadecimal')
  if (mayBeWeak || !isGuessable(key)) return key
  return refuse(
    'must be 32 random bytes, such as the output of openssl rand -base64 32. This key can be guessed. To re-encrypt existing data, set NEXT_ENCRYPTION_KEY and run npm run keys:rotate',
  )
}

/** Random keys match less than once in a billion: few different bytes, only letters, or evenly spaced bytes. */
export function isGuessable(key: Buffer): boolean {
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f)
  const steps = new Set(key.subarray(1).map((byte, at) => byte - key[at]!))
  return isText || new Set(key).size < 16 || steps.size < 8
}
