import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandLine } from '#api/platform/command-line.ts'
import { readManifest } from '../pack-release.ts'
import { commands } from './commands.ts'

const root = resolve(import.meta.dirname, '../..')

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coin-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs `coin` through two links, as on a server, where /usr/local/bin/coin leads to the current release. */
function coin(words: readonly string[], settings = '/nonexistent') {
  const folder = aFolder()
  symlinkSync(root, join(folder, 'current'))
  symlinkSync(join(folder, 'current/coin'), join(folder, 'coin'))
  const { status, stdout, stderr } = spawnSync(join(folder, 'coin'), words, {
    cwd: folder,
    env: { PATH: process.env['PATH'], NODE_ENV: 'development', COIN_SETTINGS: settings },
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

test('every command has a script, and the name of its npm script if there is one', () => {
  const { scripts } = readManifest()
  for (const [name, { script }] of Object.entries(commands)) {
    expect(existsSync(join(root, `scripts/${script}.ts`)), name).toBe(true)
    const npmName = Object.keys(scripts).find((each) => scripts[each]!.endsWith(` scripts/run.mjs ${script}`))
    expect(name).toBe(npmName?.replace(':', '-') ?? script)
  }
})

test('coin is an executable file, also in the repository', () => {
  const listed = execFileSync('git', ['ls-files', '--stage', 'coin'], { cwd: root, encoding: 'utf8' })
  expect(listed).toMatch(/^100755 /)
})

test('coin lists its commands without reading the settings, and refuses others', () => {
  const { status, said } = coin([])
  expect(status).toBe(0)
  for (const [name, { summary }] of Object.entries(commands))
    expect(said).toMatch(new RegExp(`^ {2}${name}\\b.* ${summary}$`, 'm'))
  expect(coin(['help']).said).toBe(said)
  expect(coin(['toString'])).toEqual({
    status: 1,
    said: 'There is no command "toString". To list the commands, run coin help.\n',
  })
})

test('coin reads the settings file and passes the words to the script', () => {
  const file = join(aFolder(), 'settings')
  writeFileSync(file, 'BACKUP_TO="/nonexistent"\nDATABASE_URL=postgres://coin@127.0.0.1:1/coin\n')
  expect(coin(['backup', 'list'], file)).toEqual({ status: 0, said: 'There are no complete backups.\n' })
  expect(coin(['backup', 'lost'], file)).toEqual({
    status: 1,
    said: 'Usage: coin backup [erasures | list | verify [NAME] | key FILE].\n',
  })
  expect(coin(['db-dump', 'x'], '/nonexistent')).toEqual({
    status: 1,
    said: 'The settings file /nonexistent can’t be read (ENOENT).\n',
  })
})

test('messages name a command as the operator calls it', () => {
  expect(commandLine('db:dump', 'FILE')).toBe('npm run db:dump -- FILE')
  expect(commandLine('keys:rotate')).toBe('npm run keys:rotate')
})
