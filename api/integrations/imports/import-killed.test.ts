import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashSync } from '@node-rs/bcrypt'
import { expect, onTestFinished, test } from 'vitest'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const membersMax = 100_000

function start({ services: { config } }: TestApi, words: string[]) {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'import', ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], DATABASE_URL: config.databaseUrl, DATA_DIR: config.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (said += part))
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, said })),
  )
  return { kill: () => child.kill('SIGKILL'), ended }
}

const countOf = async ({ services }: TestApi) =>
  (
    await services.db
      .selectFrom('member')
      .select((row) => row.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

function aFileOf(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const passwordHash = hashSync('a sample password', 4)
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      _id: n.toString(16).padStart(24, '0'),
      email: `n${n}@people.example`,
      passwordHash,
      displayName: `Sample ${n}`,
    }),
  )
  writeFileSync(join(folder, 'members.jsonl'), lines.join('\n'))
  return join(folder, 'members.jsonl')
}

test(
  'imports 100,000 members completely or not at all, even if killed at any moment',
  { tags: ['nightly'], timeout: 900_000 },
  async () => {
    const started = await startApi()
    const file = aFileOf(membersMax)
    const before = await countOf(started)
    for (const delay of [2000, 6000, 10_000]) {
      const killed = start(started, ['--members', file])
      await new Promise((resolve) => setTimeout(resolve, delay))
      killed.kill()
      const { code } = await killed.ended
      // The import may have finished before it was killed.
      if (code === 0) break
      expect(await countOf(started)).toBe(before)
    }
    const began = performance.now()
    const whole = await start(started, ['--members', file]).ended
    console.log(`${membersMax} members: ${Math.round((performance.now() - began) / 1000)} s`)
    expect(whole).toMatchObject({ code: 0 })
    expect(Number(await countOf(started)) - Number(before)).toBe(membersMax)
    const again = await start(started, ['--members', file]).ended
    expect(again.said).toContain(`0 added, ${membersMax} already exist`)
    const { n } = await started.services.db
      .selectFrom('member_summary')
      .select((row) => row.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBeGreaterThanOrEqual(membersMax)
  },
)

test(
  'the command reports problems with its arguments and files in a sentence each',
  { tags: ['nightly'], timeout: 120_000 },
  async () => {
    const started = await startApi()
    for (const [words, said] of [
      [[], 'Name at least one file'],
      [['--member', 'x'], 'Usage: npm run import'],
      [['--members', '/nowhere'], 'The members file can’t be read'],
    ] as const)
      expect(await start(started, [...words]).ended).toMatchObject({
        code: 1,
        said: expect.stringContaining(said) as string,
      })
  },
)
