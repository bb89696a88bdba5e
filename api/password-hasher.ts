import { hash, verify, type Options } from '@node-rs/argon2'
import { makeLanes } from './hashing-lanes.ts'

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
  /** Whether it is the password of one of those hashes, which were made with one salt. In the time of one, also for none. */
  verifyAny(
    passwordHashes: readonly string[],
    password: string,
    lane?: 'known' | 'sign-in',
    client?: string,
  ): Promise<boolean>
}

/** In the PHC string format: $argon2id$v=…$m=…,t=…,p=…$salt$hash. */
const saltOf = (passwordHash: string): string | undefined => passwordHash.split('$')[4]

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
          const isRight = await verify(passwordHash ?? dummyHash, password.normalize('NFKC'))
          return isRight && Boolean(passwordHash)
        },
        client,
      ),
    verifyAny: (passwordHashes, password, lane = 'sign-in', client) =>
      run(
        lane,
        async () => {
          const salt = passwordHashes.map(saltOf).find(Boolean) ?? saltOf(dummyHash)!
          const given = { ...parameters, salt: Buffer.from(salt, 'base64') }
          return passwordHashes.includes(await hash(password.normalize('NFKC'), given))
        },
        client,
      ),
  }
}
