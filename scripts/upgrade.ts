import { dirname, join, resolve } from 'node:path'
import { canSetAside } from '#api/platform/db/set-aside.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { continueToTheEnd } from './coin/continue-to-the-end.ts'
import { currentRelease, migrationsOf, versionOf } from './coin/installation.ts'
import { openServer, readWords } from './coin/open-server.ts'
import {
  completeUpgrade,
  performUpgrade,
  startUnits,
  undoUpgrade,
  type Server,
} from './coin/perform-upgrade.ts'
import { settingsFileOf } from './coin/settings-file.ts'
import { readState } from './coin/state-file.ts'
import { unpackRelease } from './coin/unpack-release.ts'
import { onDatabase, readApplied } from './coin/upgrade-database.ts'
import { confirm } from './confirm.ts'
import { run } from './reach-database.ts'

const usage = 'coin upgrade ARCHIVE [--yes] [--wait SECONDS]'

await run(async () => {
  const { isConfirmed, patience, files } = readWords(1, usage)
  const server = await openServer(patience)
  await settleOpen(server)
  const { installation } = server
  const publicKey = join(dirname(settingsFileOf(process.env)), 'release-key.pub')
  const to = unpackRelease(installation, resolve(files[0]!), publicKey)
  const pending = await listPending(server, to)
  const from = currentRelease(installation)
  const change = `${versionOf(installation, from)} to ${versionOf(installation, to)}`
  const effect =
    pending.length > 0
      ? `Migrations to apply: ${pending.length}. The site is unavailable while the database is dumped and migrated.`
      : 'It has no migrations, so the site is unavailable only while the release starts.'
  await confirm(`Upgrade from ${change}. ${effect}`, isConfirmed)
  continueToTheEnd()
  await performUpgrade(server, to, pending.length > 0)
})

/** Returns the migrations that the release would apply, and refuses a release that can't replace the current one. */
async function listPending({ installation }: Server, to: string): Promise<string[]> {
  if (to === currentRelease(installation)) throw new StartRefused(`${to} is the current release.`)
  const applied = await readApplied()
  const known = migrationsOf(installation, to)
  if (applied.join() !== known.slice(0, applied.length).join())
    throw new StartRefused(
      `${to} is older than the database, which is at migration ${applied.at(-1)}. To return to the previous release, run coin rollback.`,
    )
  const pending = known.slice(applied.length)
  if (pending.length > 0 && !(await onDatabase(canSetAside)))
    throw new StartRefused(
      'A failed upgrade couldn’t be rolled back, because the role in DATABASE_URL isn’t allowed to create schemas. Run this SQL statement as the owner of the database: grant create on database NAME to ROLE',
    )
  return pending
}

/** Completes or undoes an upgrade that was interrupted, for example by a power failure. */
async function settleOpen(server: Server): Promise<void> {
  const { open } = readState(server.installation)
  if (!open) return
  continueToTheEnd()
  if (open.step !== 'starting') {
    console.log(`An earlier command was interrupted. Returning to ${open.from}…`)
    return undoUpgrade(server)
  }
  console.log(`An earlier upgrade was interrupted. Waiting until ${open.to} is ready…`)
  try {
    await startUnits(server, open)
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error
    // It may have served visitors in the meantime, so what it stored isn't given up without asking.
    throw new StartRefused(`${error.message} To return to the previous release, run coin rollback.`)
  }
  await completeUpgrade(server)
}
