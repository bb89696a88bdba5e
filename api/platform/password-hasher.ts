import { hash, verify, type Options } from '@node-rs/argon2'
import { createFairQueues } from './fair-queues.ts'
import { dummyOf, readImported } from './imported-hash.ts'

/** OWASP password storage cheat sheet: Argon2id (the library's default variant), 19 MiB, two passes, one lane. */
const recommended: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type PasswordHasher = {
  /** `sign-up` is for work that anyone can request in any number; other new passwords have a separate queue. */
  hash(password: string, lane?: 'sign-up' | 'change', salt?: Buffer, client?: string): Promise<string>
  /**
   * Takes equal time with and without a hash. `known` is for members who are signed in, or sign in from where they did
   * before: they don't wait behind work that anyone can request. `client` determines the turn within the queue.
   */
  verify(
    passwordHash: string | null | undefined,
    password: string,
    lane?: 'known' | 'sign-in',
    client?: string,
  ): Promise<boolean>
  /**
   * Returns for each hash whether it matches the password. All hashes with the same salt, or none at all, take the time
   * of one; each additional salt takes as long again. For imported hashes, one of each given kind is computed too,
   * whether it exists or not.
   */
  verifyEach(
    passwordHashes: readonly (string | null | undefined)[],
    password: string,
    lane?: 'known' | 'sign-in',
    by?: { client?: string; importedKinds?: readonly string[] },
  ): Promise<boolean[]>
}

/** The PHC string format up to the salt: $argon2id$v=…$m=…,t=…,p=…$salt. */
const settingPattern = /^\$argon2id\$v=\d+\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z\d+/]+)(?=\$)/

const settingOf = (passwordHash: string | null | undefined): string | undefined =>
  settingPattern.exec(passwordHash ?? '')?.[0]

/** Returns the salt, for a password that will be compared together with this one. */
export function saltOf(passwordHash: string | null | undefined): Buffer | undefined {
  const salt = settingPattern.exec(passwordHash ?? '')?.[4]
  return salt === undefined ? undefined : Buffer.from(salt, 'base64')
}

function optionsOf(setting: string): Options {
  const [, memory, time, lanes, salt] = settingPattern.exec(`${setting}$`)!
  return {
    memoryCost: Number(memory),
    timeCost: Number(time),
    parallelism: Number(lanes),
    salt: Buffer.from(salt!, 'base64'),
  }
}

/** Hashes in the library's threads, a few at a time, in queues; throws `unavailable` if a queue is full. */
export async function makePasswordHasher(parameters: Options = recommended): Promise<PasswordHasher> {
  const run = createFairQueues(['known', 'sign-in', 'change', 'sign-up'], {
    atOnce: 2,
    waitingMax: 40,
  })
  const dummyHash = await hash('no password has this hash', parameters)
  return {
    hash: (password, lane = 'change', salt, client) =>
      run(lane, () => hash(password.normalize('NFKC'), salt ? { ...parameters, salt } : parameters), client),
    verify: (passwordHash, password, lane = 'sign-in', client) =>
      run(
        lane,
        async () => {
          const imported = readImported(passwordHash)
          if (imported) return imported.verify(password)
          const isRight = await verify(passwordHash ?? dummyHash, password.normalize('NFKC'))
          return isRight && Boolean(passwordHash)
        },
        client,
      ),
    verifyEach: (passwordHashes, password, lane = 'sign-in', { client, importedKinds = [] } = {}) =>
      run(
        lane,
        async () => {
          const settings = new Set(passwordHashes.flatMap((each) => settingOf(each) ?? []))
          if (settings.size === 0) settings.add(settingOf(dummyHash)!)
          const made: (string | null | undefined)[] = []
          for (const setting of settings)
            made.push(await hash(password.normalize('NFKC'), optionsOf(setting)))
          const rightImported = await findRightImported(passwordHashes, password, importedKinds)
          return passwordHashes.map((each) => made.includes(each) || rightImported.has(each))
        },
        client,
      ),
  }
}

/** Returns the imported hashes that match the password exactly as typed, because the other site hashed it that way. */
async function findRightImported(
  passwordHashes: readonly (string | null | undefined)[],
  password: string,
  kinds: readonly string[],
): Promise<Set<string | null | undefined>> {
  const right = new Set<string | null | undefined>()
  const done = new Set<string>()
  for (const each of passwordHashes) {
    const imported = readImported(each)
    if (!imported) continue
    done.add(imported.kind)
    if (await imported.verify(password)) right.add(each)
  }
  for (const kind of kinds) if (!done.has(kind)) await dummyOf(kind)?.verify(password)
  return right
}
