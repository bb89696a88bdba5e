import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { makeIdentity } from '#api/platform/backup/age.ts'
import { makeActiveMember, makeAdministrator } from '#tests/setup/a-publisher.ts'
import { ask, startReplicated } from '#tests/setup/replicated-database.ts'
import { startProduct, stop, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const email = 'admin@example.org'
const password = 'a password for staff'
const killed = 6

async function aFolder(name: string): Promise<string> {
  const folder = await makeTemporary(name)
  onTestFinished(() => removeTemporary(folder))
  return folder
}

const command = (words: readonly string[], env: Record<string, string>) =>
  spawn(process.execPath, ['scripts/run.mjs', ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function run(words: readonly string[], env: Record<string, string>) {
  const child = command(words, env)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, said }
}

async function signIn({ post }: Product): Promise<{ status: number; token: string }> {
  const answer = await post('members/login', { email, password })
  return { status: answer.status, ...((await answer.json()) as { token: string }) }
}

async function publish({ post }: Product, token: string, title: string): Promise<void> {
  const body = { title, category: 'News', language: 'en', content: `<p>${title}</p>` }
  const answer = await post('announcements/create', body, { 'x-access-token': token })
  expect(answer.status).toBe(201)
}

test(
  'backups that are killed never look whole; the last one brings everything back on an empty machine',
  { timeout: 600_000 },
  async () => {
    const settings = { ADMIN_EMAILS: email, STAFF_SECOND_FACTOR: 'optional', DEMO: 'off' }
    const [dataDir, target] = [await aFolder('lost'), await aFolder('target')]
    const product = await startProduct({ dataDir, settings })
    onTestFinished(async () => void (await stop(product.process, 'SIGKILL')))
    await makeAdministrator(product, email, password)
    await makeActiveMember(product, 'leaving@example.org')
    const { token } = await signIn(product)
    const titles = Array.from({ length: 30 }, () => `Kept ${randomUUID()}`)
    for (const title of titles) await publish(product, token, title)

    const { identity, recipient } = await makeIdentity()
    const env = { DATA_DIR: dataDir, BACKUP_TO: target, BACKUP_RECIPIENT: recipient }
    for (let n = 0; n < killed; n += 1) {
      const child = command(['backup'], env)
      await new Promise((resolve) => setTimeout(resolve, 300 + n * 150))
      await stop(child, 'SIGKILL')
      const { code, said } = await run(['backup', 'verify'], { ...env, BACKUP_IDENTITY: identity })
      // A backup that was complete before the kill is still complete.
      expect(code === 0 || said.includes('no complete backup'), said).toBe(true)
    }
    const made = await run(['backup'], env)
    expect(made, made.said).toMatchObject({ code: 0 })
    const stamps = readdirSync(join(target, 'manifests'))
    expect(
      readdirSync(join(target, 'database')).every((part) => stamps.some((stamp) => part.startsWith(stamp))),
    ).toBe(true)
    expect(readdirSync(dataDir)).not.toContain('backup-unfinished')

    // The machine is lost, with everything that was not backed up.
    await stop(product.process, 'SIGKILL')
    const key = readFileSync(join(dataDir, 'keys/master.key'), 'utf8')
    const emptied = await aFolder('emptied')
    await rm(join(dataDir, 'keys'), { recursive: true })
    const into = { DATA_DIR: emptied, BACKUP_TO: target, BACKUP_IDENTITY: identity }
    const restored = await run(['restore'], into)
    expect(restored, restored.said).toMatchObject({ code: 0 })
    expect(readFileSync(join(emptied, 'keys/master.key'), 'utf8')).toBe(key)

    const again = await startProduct({ dataDir: emptied, settings })
    onTestFinished(async () => void (await stop(again.process, 'SIGKILL')))
    expect((await signIn(again)).status).toBe(200)
    const old = await again.post('announcements/create', {}, { 'x-access-token': token })
    expect(old.status).toBe(401)
    const page = await (await fetch(`${again.url}/news`)).text()
    expect(page).toContain(titles.at(-1))
  },
)

const tools = ['age', 'psql'].every((tool) => !spawnSync(tool, ['--version']).error)

test('the tools age and psql alone restore a backup, too', { timeout: 300_000 }, async () => {
  if (!tools) {
    console.log('age or psql is not installed here: not tried.')
    return
  }
  const databases = await startReplicated()
  onTestFinished(() => databases.stop())
  const url = `postgres://coin@127.0.0.1:${databases.primary.port}/coin`
  const [dataDir, target] = [await aFolder('tools'), await aFolder('target')]
  const product = await startProduct({
    dataDir,
    settings: { DATABASE_URL: url, DEMO: 'off', ADMIN_EMAILS: email },
  })
  onTestFinished(async () => void (await stop(product.process, 'SIGKILL')))
  await makeActiveMember(product, email)
  const { identity, recipient } = await makeIdentity()
  const env = { DATA_DIR: dataDir, DATABASE_URL: url, BACKUP_TO: target, BACKUP_RECIPIENT: recipient }
  const made = await run(['backup'], env)
  expect(made, made.said).toMatchObject({ code: 0 })
  await ask(databases.primary.url, 'create database other owner coin')
  const piped = spawnSync(
    'bash',
    [
      '-c',
      `set -o pipefail; cat ${target}/database/* | age -d -i <(echo "$IDENTITY") | gunzip | psql -q -v ON_ERROR_STOP=1 "$TO"`,
    ],
    { env: { ...process.env, IDENTITY: identity, TO: url.replace(/coin$/, 'other') }, encoding: 'utf8' },
  )
  expect(piped.status, piped.stderr).toBe(0)
  const count =
    'select (select count(*) from member) as members, (select count(*) from restored_backup) as marks'
  expect(await ask(url.replace(/coin$/, 'other'), count)).toEqual([{ members: '1', marks: '1' }])
})
