import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { StartRefused } from '#api/platform/start-refused.ts'
import {
  aFolder,
  aStoppedCluster,
  isAlive,
  leftovers,
  pidIn,
  query,
  type Said,
  start,
  startInProcess,
  startTimeMax,
  timeOf,
  removeTemplate,
} from './trial.ts'

afterAll(removeTemplate)

/** Usually takes a moment; allow ten times that on a busy machine. */
const patience = 15_000

function urlOf(said: Said): string {
  if ('refused' in said) throw new Error(said.refused)
  return said.url
}

test.each(['SIGKILL', 'SIGINT'] as const)(
  'a server whose whole process group got %s survives, is taken over with every row, and can be stopped',
  async (signal) => {
    const dataDir = await aStoppedCluster()
    const starter = startInProcess(dataDir)
    const url = urlOf(await starter.said)
    await query(url, 'create table sample as select generate_series(1, 1000) as number')
    const pid = pidIn(dataDir)
    starter.killGroup(signal)
    await starter.ended
    expect(isAlive(pid)).toBe(true)

    const taken = await start(dataDir)
    expect(taken.adopted).toBe(true)
    expect(taken.events).toEqual(['database.adopted'])
    expect(taken.url).toBe(url)
    expect(pidIn(dataDir)).toBe(pid)
    expect(await query(taken.url, 'select count(*)::int from sample')).toEqual([{ count: 1000 }])
    await taken.stop()
    await expect.poll(() => isAlive(pid)).toBe(false)
  },
)

test('after program and server are killed together, the next start recovers every committed row', async () => {
  const dataDir = await aStoppedCluster()
  const starter = startInProcess(dataDir)
  const url = urlOf(await starter.said)
  await query(url, 'create table sample as select generate_series(1, 20000) as number')
  const pid = pidIn(dataDir)
  starter.killGroup('SIGKILL')
  process.kill(pid, 'SIGKILL')
  await starter.ended

  const inOrder = await aStoppedCluster()
  const usual = await timeOf(() => start(inOrder))
  let again: Awaited<ReturnType<typeof start>> | undefined
  expect(await timeOf(async () => (again = await start(dataDir)))).toBeLessThan(startTimeMax(usual))
  expect(again!.adopted).toBe(false)
  expect(again!.events).toEqual(['database.recovering', 'database.started'])
  expect(await query(again!.url, 'select count(*)::int from sample')).toEqual([{ count: 20000 }])
})

test('a start killed while creating the cluster does not block the next', async () => {
  const dataDir = aFolder()
  const starter = startInProcess(dataDir)
  await vi.waitFor(
    () => {
      const [unfinished = 'none'] = leftovers(dataDir)
      expect(existsSync(join(dataDir, unfinished, 'data/base'))).toBe(true)
    },
    { timeout: patience, interval: 1 },
  )
  starter.killGroup('SIGKILL')
  await starter.ended
  expect(existsSync(join(dataDir, 'pg'))).toBe(false)

  const next = await start(dataDir)
  expect(next.events).toEqual(['database.created', 'database.started'])
  await next.stop()
  await (await start(dataDir)).stop()
  expect(leftovers(dataDir)).toEqual([])
})

test.each(['a stranger', 'this process', 'the server of another folder', 'nobody'])(
  'a stale process ID that now belongs to %s is not trusted',
  async (owner) => {
    const dataDir = await aStoppedCluster()
    const first = await start(dataDir)
    await query(first.url, 'create table sample as select 1 as number')
    await first.stop()

    const otherDir = await aStoppedCluster()
    let pid = 4_000_000
    if (owner === 'a stranger') {
      const stranger = spawn('sleep', ['60'])
      onTestFinished(() => void stranger.kill())
      pid = stranger.pid!
    }
    if (owner === 'this process') pid = process.pid
    if (owner === 'the server of another folder') {
      await start(otherDir)
      pid = pidIn(otherDir)
    }
    const { port } = new URL(first.url)
    const stale = `${pid}\n${dataDir}/pg/data\n1700000000\n${port}\n\n127.0.0.1\n  1 2\nready   \n`
    writeFileSync(join(dataDir, 'pg/data/postmaster.pid'), stale)

    const again = await start(dataDir)
    expect(again.adopted).toBe(false)
    expect(pidIn(dataDir)).not.toBe(pid)
    expect(await query(again.url, 'select number from sample')).toEqual([{ number: 1 }])
    expect(isAlive(pid)).toBe(owner !== 'nobody')
  },
)

test('while one process runs, another on the same folder is refused without effects', async () => {
  const dataDir = await aStoppedCluster()
  const starter = startInProcess(dataDir)
  const url = urlOf(await starter.said)
  const pid = pidIn(dataDir)
  const refusal = await start(dataDir).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartRefused)
  expect((refusal as Error).message).toMatch(/^Another process is already using .*DATABASE_URL\.$/)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])

  starter.killGroup('SIGKILL')
  await starter.ended
  const taken = await start(dataDir)
  expect(taken.adopted).toBe(true)
  expect(pidIn(dataDir)).toBe(pid)
})

test('of four concurrent starts exactly one gets the folder', async () => {
  const dataDir = aFolder()
  const starters = Array.from({ length: 4 }, () => startInProcess(dataDir))
  const said = await Promise.all(starters.map((starter) => starter.said))
  const refused = said.flatMap((each) => ('refused' in each ? [each.refused] : []))
  expect(refused).toHaveLength(3)
  for (const sentence of refused) expect(sentence).toMatch(/^StartRefused: Another process is already using /)
  for (const starter of starters) starter.killGroup('SIGKILL')
  await Promise.all(starters.map((starter) => starter.ended))
  expect((await start(dataDir)).adopted).toBe(true)
})

test.each([
  ['started', false],
  ['taken over', true],
])(
  'when a server that was %s dies, `exited` resolves and a new start uses the same address',
  async (_, isTaken) => {
    const dataDir = await aStoppedCluster()
    if (isTaken) {
      const starter = startInProcess(dataDir)
      await starter.said
      starter.killGroup('SIGKILL')
      await starter.ended
    }
    const first = await start(dataDir)
    expect(first.adopted).toBe(isTaken)
    await query(first.url, 'create table sample as select 1 as number')
    process.kill(pidIn(dataDir), 'SIGKILL')
    await first.exited
    expect(first.events).toContain('database.exited')

    const second = await start(dataDir)
    expect(second.url).toBe(first.url)
    expect(await query(second.url, 'select number from sample')).toEqual([{ number: 1 }])
  },
)

test('a start waits for sessions of a killed server that have not ended yet', async () => {
  const dataDir = await aStoppedCluster()
  const first = await start(dataDir)
  const lost = query(first.url, 'select pg_backend_pid() as pid, pg_sleep(60)').catch(() => undefined)
  const session = await vi.waitFor(async () => {
    const [found] = await query<{ pid: number }>(
      first.url,
      `select pid from pg_stat_activity where query like '%pg_sleep(60)' and pid <> pg_backend_pid()`,
    )
    expect(found).toBeDefined()
    return found!.pid
  }, patience)
  process.kill(session, 'SIGSTOP')
  process.kill(pidIn(dataDir), 'SIGKILL')
  await first.exited
  setTimeout(() => process.kill(session, 'SIGCONT'), 700)
  const startedAt = performance.now()
  const second = await start(dataDir)
  expect(performance.now() - startedAt).toBeGreaterThan(600)
  expect(second.url).toBe(first.url)
  await lost
})

test('`exited` does not resolve when the server was stopped on purpose', async () => {
  const { stop, exited, events } = await start(await aStoppedCluster())
  let hasExited = false
  void exited.then(() => (hasExited = true))
  await stop()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(hasExited).toBe(false)
  expect(events.at(-1)).toBe('database.stopped')
})

test('accepts an empty folder in place of the cluster', async () => {
  const dataDir = aFolder()
  mkdirSync(join(dataDir, 'pg'))
  await start(dataDir)
  expect(readFileSync(join(dataDir, 'pg/data/PG_VERSION'), 'utf8')).toBe('18\n')
})
