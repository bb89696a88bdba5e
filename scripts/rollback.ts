import { verifyDump } from '#api/platform/db/dump-file.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { continueToTheEnd } from './coin/continue-to-the-end.ts'
import { currentRelease, listReleases, migrationsOf, versionOf } from './coin/installation.ts'
import { openServer, readWords } from './coin/open-server.ts'
import { undoUpgrade, type Server } from './coin/perform-upgrade.ts'
import { readState, writeState, type Upgrade } from './coin/state-file.ts'
import { countEntriesSince, readApplied } from './coin/upgrade-database.ts'
import { confirm } from './confirm.ts'
import { run } from './reach-database.ts'

await run(async () => {
  const { isConfirmed, patience } = readWords(0, 'coin rollback [--yes] [--wait SECONDS]')
  const server = await openServer(patience)
  const { installation } = server
  const { open, last } = readState(installation)
  const upgrade = open ?? last
  if (!upgrade) throw new StartRefused('There is no upgrade to roll back.')
  if (!listReleases(installation).includes(upgrade.from))
    throw new StartRefused(
      `${upgrade.from} was deleted. Unpack it into ${installation.releases} again. Nothing was changed.`,
    )
  if (!open && currentRelease(installation) !== upgrade.to)
    throw new StartRefused(
      `The current release isn’t ${upgrade.to}, to which coin upgraded. Nothing was changed.`,
    )
  // An upgrade that was interrupted before its release started stored nothing that could be lost.
  if (upgrade.wasStarted && upgrade.step !== 'undoing')
    await confirm(await describeRollback(server, upgrade), isConfirmed)
  continueToTheEnd()
  const isRollback = open?.isRollback ?? upgrade.wasStarted
  writeState(installation, {
    last: open ? last : undefined,
    open: { ...upgrade, step: 'undoing', isRollback },
  })
  await undoUpgrade(server)
  console.log(`${versionOf(installation, upgrade.from)} is running again.`)
})

async function describeRollback({ installation }: Server, { from, to, dump }: Upgrade): Promise<string> {
  const change = `Roll back from ${versionOf(installation, to)} to ${versionOf(installation, from)}.`
  if ((await readApplied()).join() === migrationsOf(installation, from).join())
    return `${change} The upgrade didn’t migrate the database, so no data is lost.`
  const { takenAt } = await verifyDump(dump)
  const minutes = Math.round((Date.now() - Date.parse(takenAt)) / MINUTE)
  const entries = await countEntriesSince(takenAt)
  return `${change} The upgrade migrated the database, so the dump of ${takenAt} is restored. Everything that was stored since then is lost (minutes: ${minutes}, entries in the audit log: ${entries}). Everyone is signed out, and payouts are on hold (docs/operate.md#backup).`
}
