import { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'

/** The message says why the file can't be decrypted, in words that follow "the file …". */
export class AgeFailed extends Error {}

/** Whether `text` is the public half of a key, which encrypts. */
export const isRecipient = (text: string): boolean =>
  isAccepted(() => {
    new Encrypter().addRecipient(text)
  })

/** Whether `text` is the secret half of a key, which decrypts. */
export const isIdentity = (text: string): boolean =>
  isAccepted(() => {
    new Decrypter().addIdentity(text)
  })

function isAccepted(tryKey: () => void): boolean {
  try {
    tryKey()
    return true
  } catch {
    return false
  }
}

export async function makeIdentity(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Encrypts for one recipient in the format of the tool `age` (age-encryption.org/v1). */
export async function* encrypt(recipient: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  for await (const chunk of await encrypter.encrypt(streamOf(source))) yield Buffer.from(chunk)
}

/**
 * Decrypts. Throws `AgeFailed` for a wrong key, and for a file that was truncated or changed anywhere, no later than at
 * its end.
 */
export async function* decrypt(identity: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  let failure: { error: unknown } | undefined
  const noted = async function* () {
    try {
      yield* source
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  try {
    for await (const chunk of await decrypter.decrypt(streamOf(noted()))) yield Buffer.from(chunk)
  } catch (error) {
    // A source that cannot be read says nothing about the file's content.
    if (failure) throw failure.error
    throw new AgeFailed(describeReason(error as Error), { cause: error })
  }
}

const streamOf = (source: AsyncIterable<Buffer>) => ReadableStream.from<Uint8Array>(source)

function describeReason({ message }: Error): string {
  if (message.startsWith('no identity matched')) return 'was encrypted for another key'
  return message.startsWith('invalid version') ? 'is not an age file' : 'is truncated or was modified'
}
