import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfig } from '#api/platform/config/config.ts'
import { isRefusedTwice } from '#api/platform/db/database.ts'
import { openStore } from '#api/platform/files/open-store.ts'
import { importFiles, importKinds, type ImportKind } from '#api/integrations/imports/import-files.ts'
import { describeOutcome } from '#api/integrations/imports/describe-outcome.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { readOrMakeMasterKey } from '#api/platform/master-key/key-file.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { commandLine } from '#api/platform/command-line.ts'
import { runWithDatabase } from './reach-database.ts'

const bytesMax = 256 * 2 ** 20
const usage = commandLine(
  'import',
  '[--dry-run] [--members FILE] [--orders FILE] [--posts FILE] [--identities FILE] [--with-rights] [--skip-column NAME]',
)

// The database notifies a running program, so writing also uses that program's database server.
await runWithDatabase('read', async (db) => {
  const { files, isDry, withRights, skipped } = readWords()
  const config = readConfig(process.env)
  const keys = makeKeys(config.encryptionKey ?? readOrMakeMasterKey(config.dataDir))
  try {
    const outcome = await importFiles(
      { db, files: openStore(config), keys, config },
      { files, isDry, withRights, skipped },
    )
    console.log(describeOutcome(outcome, isDry))
    if (Object.values(outcome.plans).some(({ problems }) => problems.length > 0)) process.exitCode = 1
  } catch (error) {
    if (!isRefusedTwice(error)) throw error
    throw new StartRefused(
      'Nothing was imported: a record with an address or ID from the files was created at the same time. Try again.',
    )
  }
})

function readWords() {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({
      options: {
        members: text,
        orders: text,
        posts: text,
        identities: text,
        'dry-run': { type: 'boolean' },
        'with-rights': { type: 'boolean' },
        'skip-column': { type: 'string', multiple: true },
      },
    })
    const named = importKinds.flatMap((kind) =>
      values[kind] === undefined ? [] : [[kind, values[kind]] as const],
    )
    if (named.length === 0) throw new StartRefused(`Name at least one file: ${usage}.`)
    return {
      files: Object.fromEntries(named.map(([kind, path]) => [kind, read(kind, path)])),
      isDry: values['dry-run'] ?? false,
      withRights: values['with-rights'] ?? false,
      skipped: values['skip-column'] ?? [],
    }
  } catch (error) {
    if (error instanceof StartRefused) throw error
    throw new StartRefused(`Usage: ${usage}.`)
  }
}

function read(kind: ImportKind, path: string): Buffer {
  try {
    if (statSync(path).size <= bytesMax) return readFileSync(path)
  } catch {
    throw new StartRefused(`The ${kind} file can’t be read. Check its path and permissions.`)
  }
  throw new StartRefused(
    `The ${kind} file is larger than 256 MiB. Split it. Records that were already imported stay unchanged.`,
  )
}
