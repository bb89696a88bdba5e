import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config/config.ts'
import type { SiteContent } from './site-content/site-content.ts'
import type { Database } from './db/database.ts'
import type { Replica } from './db/replica.ts'
import type { AnswerForEverybody } from './shared-response.ts'
import type { FileStore } from './files/file-store.ts'
import type { Keys } from './keys.ts'
import type { KnownMaintenance } from './maintenance/known-maintenance.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** The dependencies of handlers, created once at startup. */
export type Services = {
  config: Config
  /** Texts and data of the site, in every language. */
  content: SiteContent
  db: Database
  /** For what may be read from a replica: responses for everyone, and console lists. */
  replica: Replica
  files: FileStore
  keys: Keys
  passwords: PasswordHasher
  log: FastifyBaseLogger
  answerForEverybody: AnswerForEverybody
  maintenance: KnownMaintenance
  /**
   * `isStopping` makes the readiness check fail before the last responses are sent; `hasSeenUnnamedProxy` means that
   * requests come through a proxy that TRUST_PROXY does not name.
   */
  lifecycle: { isStopping: boolean; hasSeenUnnamedProxy?: boolean }
}
