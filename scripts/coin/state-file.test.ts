import { spawn } from 'node:child_process'
import { mkdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { currentRelease, findInstallation, listReleases, switchTo } from './installation.ts'
import { lockUpgrades, readState, writeState, type Upgrade } from './state-file.ts'

async function anInstallation() {
  const home = await makeTemporary('state')
  onTestFinished(() => removeTemporary(home))
  const releases = join(home, 'releases')
  for (const name of ['coin-site-v1-linux-x64', 'coin-site-v2-linux-x64', '.unpacking'])
    mkdirSync(join(releases, name), { recursive: true })
  symlinkSync(join(releases, 'coin-site-v1-linux-x64'), join(home, 'current'))
  return { home, releases }
}

const upgrade: Upgrade = {
  id: '20260102030405',
  from: 'coin-site-v1-linux-x64',
  to: 'coin-site-v2-linux-x64',
  dump: '/nonexistent',
  units: ['coin'],
  step: 'migrating',
  wasStarted: false,
  isRollback: false,
}

test('keeps the state of an upgrade in a file that only its owner can read', async () => {
  const installation = await anInstallation()
  expect(readState(installation)).toEqual({})
  writeState(installation, { open: upgrade, last: { ...upgrade, step: 'starting' } })
  expect(readState(installation)).toEqual({ open: upgrade, last: { ...upgrade, step: 'starting' } })
  const file = join(installation.home, 'upgrade.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, '{')
  expect(() => readState(installation)).toThrow('can’t be read (invalid JSON)')
})

test('finds the releases, and switches the link in one step', async () => {
  const installation = await anInstallation()
  const { home, releases } = installation
  expect(findInstallation(join(releases, 'coin-site-v1-linux-x64'))).toEqual(installation)
  expect(() => findInstallation(home)).toThrow('needs a server that was installed from a release')
  expect(listReleases(installation)).toEqual(['coin-site-v1-linux-x64', 'coin-site-v2-linux-x64'])
  // A link that was left by an interrupted command.
  symlinkSync('/nonexistent', join(home, 'current.new'))
  switchTo(installation, 'coin-site-v2-linux-x64')
  expect(currentRelease(installation)).toBe('coin-site-v2-linux-x64')
  expect(readlinkSync(join(home, 'current'))).toBe(join(releases, 'coin-site-v2-linux-x64'))
})

test('refuses a second upgrade until the first one ends, even if it is killed', async () => {
  const installation = await anInstallation()
  const script = `const s = require('net').createServer(); s.listen({ path: '\\0coin-upgrade ${installation.home}' }, () => console.log('locked'))`
  const other = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => other.stdout.once('data', resolve))
  await expect(lockUpgrades(installation)).rejects.toThrow(
    'Another coin upgrade or coin rollback is running.',
  )
  other.kill('SIGKILL')
  await new Promise((resolve) => other.once('close', resolve))
  await lockUpgrades(installation)
})
