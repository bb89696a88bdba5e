import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { SiteContent } from './site-content.ts'
import type { Database } from './db/database.ts'
import type { AnswerForEverybody } from './shared-response.ts'
import type { FileStore } from './files/file-store.ts'
import type { Keys } from './keys.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** The dependencies of handlers, built once at the start. */
export type Services = {
  config: Config
  /** What the site says, in every language. */
  content: SiteContent
  db: Database
  files: FileStore
  keys: Keys
  passwords: PasswordHasher
  log: FastifyBaseLogger
  answerForEverybody: AnswerForEverybody
  /**
   * `isStopping` fails readiness before the last responses are sent; `hasSeenUnnamedProxy` that a proxy forwards which
   * TRUST_PROXY does not name.
   */
  lifecycle: { isStopping: boolean; hasSeenUnnamedProxy?: boolean }
}
