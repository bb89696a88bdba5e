import { readConfig } from '#api/platform/config/config.ts'
import type { Environment } from '#api/platform/config/setting-reader.ts'
import type { Database } from '#api/platform/db/database.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { setSender } from '#api/platform/mail/set-sender.ts'
import { readKeyFiles } from '#api/platform/master-key/key-file.ts'
import { requireFittingKey } from '#api/platform/master-key/re-encrypt.ts'
import type { MailContext } from '#api/people/sessions/notify-member.ts'
import { readSiteContent } from '#api/publishing/content/editing/apply-published.ts'

/** The settings and keys of the installation, with which emails to members are written. */
export async function openContext(db: Database, environment: Environment): Promise<MailContext> {
  const config = readConfig(environment)
  const keys = makeKeys(config.encryptionKey ?? readKeyFiles(config.dataDir).now)
  await requireFittingKey(db, keys)
  setSender({ config, content: await readSiteContent(db) })
  return { config, keys }
}
