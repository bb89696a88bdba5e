import { parseArgs } from 'node:util'
import { commandLine } from '#api/platform/command-line.ts'
import { randomSecret } from '#api/platform/keys.ts'
import { makePasswordHasher } from '#api/platform/password-hasher.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { email } from '#contract/platform/fields.ts'
import { copyToDatabase, copyToFile } from './copy/make-copy.ts'
import { readSettings } from './backup-settings.ts'
import { reaching, run } from './reach-database.ts'

const usage = `Usage: ${commandLine('copy', '--scrub TARGET_DATABASE_URL [--admin EMAIL]')}, or ${commandLine('copy', '--scrub --to FILE [--admin EMAIL]')}.`

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        scrub: { type: 'boolean' },
        to: { type: 'string' },
        admin: { type: 'string', default: 'admin@people.example' },
      },
    })
    return { ...values, targets: positionals }
  } catch {
    throw new StartRefused(usage)
  }
}

await run(async () => {
  const { scrub, to: file, admin, targets } = readArguments()
  const [target] = targets
  if (targets.length + (file === undefined ? 0 : 1) !== 1) throw new StartRefused(usage)
  if (!scrub)
    throw new StartRefused(
      `Add --scrub: the command makes only copies without personal data. To dump everything, use ${commandLine('db:dump', 'FILE')}. ${usage}`,
    )
  const address = email.safeParse(admin)
  if (!address.success) throw new StartRefused(`${admin} isn’t an email address. ${usage}`)
  const password = randomSecret(15)
  const account = { email: address.data, passwordHash: await (await makePasswordHasher()).hash(password) }
  await reaching('read', async (url) => {
    const { tables, takenAt } =
      file === undefined
        ? await copyToDatabase(url, target!, account, readSettings().dataDir)
        : await copyToFile(url, file, account)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `${file ?? 'The target'} has a copy of ${takenAt}: ${tables.length} tables, ${rows} rows, personal data replaced.\nAdministrator of the copy: ${account.email}, password ${password} (shown only now)`,
    )
  })
})
