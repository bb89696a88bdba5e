import { hash, verify, type Options } from '@node-rs/argon2'
import { makeLanes } from './fair-queues.ts'
import { dummyOf, readImported } from './imported-hash.ts'

/** OWASP password storage cheat sheet: Argon2id (the library's default variant), 19 MiB, two passes, one lane. */
const recommended: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type PasswordHasher = {
  /** `sign-up` is what strangers may ask for in any number; other new passwords have a lane of their own. */
  hash(password: string, lane?: 'sign-up' | 'change', salt?: Buffer, client?: string): Promise<string>
  /**
   * Takes equal time whether there is a hash or not. `known` is for who is signed in, or signs in where they did before:
   * they do not wait behind what anybody may ask for. `client` is whose turn it takes within the lane.
   */
  verify(
    passwordHash: string | null | undefined,
    password: string,
    lane?: 'known' | 'sign-in',
    client?: string,
  ): Promise<boolean>
  /**
   * For each of those hashes whether it is of the password. All that have one salt together, as none of them, take the time of
   * one: each further salt takes another. Of hashes that were imported, one of each of those kinds is computed as well, whether
   * there is one or not.
   */
  verifyEach(
    passwordHashes: readonly (string | null | undefined)[],
    password: string,
    lane?: 'known' | 'sign-in',
    client?: string,
    importedKinds?: readonly string[],
  ): Promise<boolean[]>
}

/** The PHC string format up to the salt: $argon2id$v=…$m=…,t=…,p=…$salt. */
const settingPattern = /^\$argon2id\$v=\d+\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z\d+/]+)(?=\$)/

const settingOf = (passwordHash: string | null | undefined): string | undefined =>
  settingPattern.exec(passwordHash ?? '')?.[0]

/** Of a password that will be compared together with this one. */
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

/** Hashes in the library's threads, a few at once, in lanes; with a full lane it throws `unavailable`. */
export async function makePasswordHasher(parameters: Options = recommended): Promise<PasswordHasher> {
  const run = makeLanes(['known', 'sign-in', 'change', 'sign-up'], {
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
    verifyEach: (passwordHashes, password, lane = 'sign-in', client, importedKinds = []) =>
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

/** Those of the imported hashes that are of the password: as typed, because the other site took it so. */
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
