import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { readConfig, type Config } from '#api/platform/config/config.ts'
import { readSiteContent } from '#api/publishing/content/editing/apply-published.ts'
import { openStore } from '#api/platform/files/open-store.ts'
import { examine } from '#api/health/examine.ts'
import { hashSettings } from '#api/health/hash-settings.ts'
import { theWorld } from '#api/health/outside/outside.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { commandLine } from '#api/platform/command-line.ts'
import { runWithDatabase } from './reach-database.ts'
import { describeChecks, describeChecksAsJson } from './doctor/describe-checks.ts'

const usage = commandLine('doctor', '[--json] [--mail you@example.org] [--dkim selector]')

await runWithDatabase('read', async (db) => {
  const { json, mail, dkim } = readWords()
  const config = readConfig(process.env)
  const keys = makeKeys(config.encryptionKey ?? readKeyAsItIs(config))
  const checks = await examine(
    {
      config,
      content: await readSiteContent(db),
      db,
      keys,
      files: openStore(config),
      log: Fastify().log,
      lifecycle: { isStopping: false },
      ownSettings: hashSettings(config, keys),
    },
    theWorld({ mailTo: mail, dkim }),
  )
  console.log(json ? describeChecksAsJson(checks) : describeChecks(checks))
  if (checks.some(({ problems }) => problems.length > 0)) process.exitCode = 1
})

function readWords(): { json?: boolean | undefined; mail?: string | undefined; dkim?: string | undefined } {
  try {
    const options = { json: { type: 'boolean' }, mail: { type: 'string' }, dkim: { type: 'string' } } as const
    return parseArgs({ options }).values
  } catch {
    throw new StartRefused(`Usage: ${usage}.`)
  }
}

/** A start would correct the file's permissions, but this check must report them. */
function readKeyAsItIs({ dataDir }: Config): Buffer {
  const file = join(dataDir, 'keys', 'master.key')
  if (!existsSync(file))
    throw new StartRefused(
      `There is no key at ${file}. Run the command with the application’s DATA_DIR or ENCRYPTION_KEY.`,
    )
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
}
