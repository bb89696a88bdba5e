import { existsSync, readFileSync, readdirSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { installServer, replaceFile } from '#tests/setup/installed-server.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { commitTreeAsItIs, packTreeAsItIs } from '#tests/setup/tree-as-it-is.ts'

const migrations = 'api/platform/db/migrations'
const withMigration = (sql: string) => (folder: string) =>
  replaceFile(join(folder, migrations, '9000-of-the-next-release.sql'), sql)

async function anInstalledServer() {
  const home = await makeTemporary('upgrade')
  onTestFinished(() => removeTemporary(home))
  const databaseUrl = await copyTemplate()
  onTestFinished(() => dropDatabase(databaseUrl))
  const { archive } = packTreeAsItIs(commitTreeAsItIs(home))
  const server = await installServer(home, archive, databaseUrl)
  onTestFinished(() => void server.manage('stop'))
  const store = (name: string) =>
    server.ask(
      `insert into audit_entry (action, subject_kind, subject_id) values ('app-updated', 'app', '${name}')`,
    )
  const stored = async () =>
    (await server.ask(`select subject_id from audit_entry where action = 'app-updated' order by id`)).map(
      (row) => row['subject_id'],
    )
  const recorded = async () =>
    (await server.ask(`select action from audit_entry where subject_kind = 'release' order by id`)).map(
      (row) => row['action'],
    )
  const stepOf = () =>
    existsSync(join(home, 'upgrade.json')) &&
    (JSON.parse(readFileSync(join(home, 'upgrade.json'), 'utf8')) as { open?: { step: string } }).open?.step
  return { home, ...server, store, stored, recorded, stepOf }
}

test(
  'an upgrade succeeds or is rolled back without a loss, whenever it fails or is killed',
  { tags: ['nightly'], timeout: 1_200_000 },
  async () => {
    const { home, first, coin, store, stored, recorded, stepOf, ...server } = await anInstalledServer()
    const releases = () => readdirSync(join(home, 'releases'))
    server.manage('start')
    await expect.poll(server.isReady, { timeout: 120_000, interval: 20 }).toBe(true)
    await store('one')

    // Archives that can't be used are refused, and the product keeps running.
    const next = server.packVariant('9.0.0-next', withMigration('create table of_the_next_release (id int)'))
    const damaged = server.packVariant('9.0.1-damaged', () => undefined)
    truncateSync(damaged, 1_000_000)
    expect((await coin('upgrade', damaged, '--yes').ended).said).toContain('can’t be unpacked')
    const elsewhere = server.packVariant('9.0.2-elsewhere', (folder) => {
      renameSync(join(folder, 'VERSION'), join(folder, 'OTHER'))
    })
    expect((await coin('upgrade', elsewhere, '--yes').ended).said).toContain(
      'isn’t a release of this product',
    )
    expect((await coin('upgrade', next).ended).said).toContain('To confirm, add --yes.')
    expect(await server.isReady()).toBe(true)
    expect(releases().filter((name) => name.startsWith('.'))).toEqual([])

    // A migration that fails.
    const failing = server.packVariant('9.0.3-failing', (folder) => {
      withMigration('create table of_the_next_release (id int)')(folder)
      replaceFile(join(folder, migrations, '9001-fails.sql'), 'select 1 / 0')
    })
    const failed = await coin('upgrade', failing, '--yes').ended
    expect(failed).toMatchObject({ code: 1 })
    expect(failed.said).toContain('The upgrade of the database stopped at 9001-fails (22012).')
    expect(failed.said).toContain('is running again')
    expect(server.currentRelease()).toBe(first)
    expect(await server.isReady()).toBe(true)
    expect(await stored()).toEqual(['one'])
    expect(await server.ask(`select to_regclass('of_the_next_release') as it`)).toEqual([{ it: null }])
    // Nothing had run on it, so the restore ended nothing.
    expect(await recorded()).toEqual(['release-upgrade-failed'])
    expect(readdirSync(join(home, 'dumps'))).toEqual([])

    // A release that migrates but is never ready.
    await store('two')
    const silent = server.packVariant('9.0.4-silent', (folder) => {
      withMigration('create table of_the_next_release (id int)')(folder)
      replaceFile(join(folder, 'scripts/start.ts'), 'setInterval(() => {}, 1000)')
    })
    const unready = await coin('upgrade', silent, '--yes', '--wait', '5').ended
    expect(unready.said).toContain('The release isn’t ready after 5 seconds')
    expect(unready.said).toContain('is kept in the schema before_rollback_')
    expect(unready.code).toBe(1)
    expect(server.currentRelease()).toBe(first)
    expect(await server.isReady()).toBe(true)
    expect(await stored()).toEqual(['one', 'two'])
    expect((await recorded()).slice(1)).toEqual(['database-restored', 'release-upgrade-failed'])

    // A kill during the migration. The next upgrade returns to the former state first.
    await store('three')
    const slow = server.packVariant(
      '9.0.5-slow',
      withMigration('create table slow (id int); select pg_sleep(4)'),
    )
    const killed = coin('upgrade', slow, '--yes')
    await expect.poll(stepOf, { timeout: 120_000, interval: 20 }).toBe('migrating')
    expect((await coin('upgrade', next, '--yes').ended).said).toContain('Another coin upgrade')
    killed.process.kill('SIGKILL')
    await killed.ended
    expect(JSON.parse((await coin('status', '--json').ended).said)).toMatchObject({
      isReady: false,
      interrupted: { step: 'migrating' },
    })
    const upgraded = await coin('upgrade', next, '--yes').ended
    expect(upgraded, upgraded.said).toMatchObject({ code: 0 })
    expect(upgraded.said).toMatch(
      /An earlier command was interrupted\.[^]*Upgraded to 9\.0\.0-next in \d+ seconds\./,
    )
    expect(server.currentRelease()).toContain('9.0.0-next')
    expect(await server.isReady()).toBe(true)
    expect(await stored()).toEqual(['one', 'two', 'three'])
    expect(await recorded()).toEqual([
      'release-upgrade-failed',
      'database-restored',
      'release-upgrade-failed',
      'release-upgrade-failed',
      'release-upgraded',
    ])

    // Back to the former release. What was stored since the upgrade is kept beside the restored database.
    await store('four')
    const back = await coin('rollback', '--yes').ended
    expect(back, back.said).toMatchObject({ code: 0 })
    expect(back.said).toMatch(/is lost \(minutes: \d+, entries in the audit log: \d\)/)
    expect(server.currentRelease()).toBe(first)
    expect(await server.isReady()).toBe(true)
    expect(
      await server.ask(
        `select detail->>'from' as left from audit_entry where action = 'release-rolled-back'`,
      ),
    ).toEqual([{ left: expect.stringContaining('9.0.0') }])
    expect(await stored()).toEqual(['one', 'two', 'three'])
    const kept = /is kept in the schema (\w+)/.exec(back.said)![1]!
    expect(await server.ask(`select from ${kept}.audit_entry where subject_id = 'four'`)).toHaveLength(1)
    expect((await coin('rollback', '--yes').ended).said).toContain('There is no upgrade to roll back.')

    // A kill while the release starts. The next command completes the upgrade.
    const small = server.packVariant('9.0.6-small', () => undefined)
    const begun = coin('upgrade', small, '--yes')
    await expect.poll(stepOf, { timeout: 120_000, interval: 20 }).toBe('starting')
    begun.process.kill('SIGKILL')
    expect((await begun.ended).said).toContain('It has no migrations')
    const completed = await coin('upgrade', small, '--yes').ended
    expect(completed.said).toMatch(
      /An earlier upgrade was interrupted\.[^]*9\.0\.6-small.* is the current release/,
    )
    expect(await server.isReady()).toBe(true)

    // Without a migration, a rollback loses nothing.
    await store('five')
    expect((await coin('rollback', '--yes').ended).said).toContain('so no data is lost')
    expect(server.currentRelease()).toBe(first)
    expect(await stored()).toEqual(['one', 'two', 'three', 'five'])
    const status = await coin('status').ended
    expect(status.said).toMatch(/^Ready +yes$/m)
    expect(status.said).toMatch(new RegExp(`^Release +${first} \\(current\\)$`, 'm'))
    expect((await coin('audit-verify').ended).said).toContain('The audit log is intact')
  },
)
