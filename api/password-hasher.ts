import { hash, verify, type Options } from '@node-rs/argon2'
import { Refused } from './refused.ts'

/** OWASP password storage cheat sheet: Argon2id (the library's default variant), 19 MiB, two passes, one lane. */
const parameters: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnceMax = 2
const waitingMax = 40

export type PasswordHasher = {
  hash(password: string): Promise<string>
  /** Takes equal time whether there is a hash or not. */
  verify(passwordHash: string | null | undefined, password: string): Promise<boolean>
}

/** Hashes in the library's threads, a few at once; with a full queue it throws `unavailable`. */
export async function makePasswordHasher(): Promise<PasswordHasher> {
  const queue = makeQueue()
  const dummyHash = await hash('no password has this hash', parameters)
  return {
    hash: (password) => queue(() => hash(password.normalize('NFKC'), parameters)),
    verify: (passwordHash, password) =>
      queue(async () => {
        const isRight = await verify(passwordHash ?? dummyHash, password.normalize('NFKC'))
        return isRight && Boolean(passwordHash)
      }),
  }
}

function makeQueue() {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax) throw new Refused('unavailable')
      await new Promise<void>((resume) => waiting.push(resume))
    } else running += 1
    try {
      return await work()
    } finally {
      // The slot goes to the next in the queue, so `running` changes only when nobody waits.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
