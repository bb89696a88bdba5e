import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { unpackRelease } from './unpack-release.ts'

const platform = `${process.platform}-${process.arch}`

async function aServer() {
  const home = await makeTemporary('unpack')
  onTestFinished(() => removeTemporary(home))
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  onTestFinished(() => said.mockRestore())
  const releases = join(home, 'releases')
  mkdirSync(releases)
  const publicKey = join(home, 'release-key.pub')
  const unpack = (archive: string) => unpackRelease({ home, releases }, archive, publicKey)
  return { home, releases, publicKey, unpack, said }
}

/** Packs a folder that looks like a release, with the Node.js that runs this test. */
function pack(home: string, name: string): string {
  const folder = join(home, 'packed', name)
  mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true })
  writeFileSync(join(folder, 'VERSION'), '1.0.0+1a2b3c4d\n')
  symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'))
  const archive = join(home, `${name}.tar.gz`)
  execFileSync('tar', ['-czf', archive, '-C', join(home, 'packed'), name])
  return archive
}

function writeSums(archive: string): string {
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  const file = join(dirname(archive), 'SHA256SUMS')
  writeFileSync(file, `${sum}  ${archive.slice(dirname(archive).length + 1)}\n`)
  return file
}

function sign(home: string, sums: string, name: string): string {
  const key = join(home, name)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key])
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'coin-site-release', '-f', key, sums])
  return `${key}.pub`
}

test('unpacks a release, and leaves one that is installed as it is', async () => {
  const { home, releases, unpack, said } = await aServer()
  const name = `coin-site-v1.0.0-1a2b3c4d-${platform}`
  const archive = pack(home, name)
  expect(unpack(archive)).toBe(name)
  expect(said).toHaveBeenCalledWith(expect.stringContaining('The checksum wasn’t checked'))
  writeFileSync(join(releases, name, 'VERSION'), 'changed')
  expect(unpack(archive)).toBe(name)
  expect(readFileSync(join(releases, name, 'VERSION'), 'utf8')).toBe('changed')
  expect(readdirSync(releases)).toEqual([name])
})

test('refuses an archive that doesn’t match its checksum', async () => {
  const { home, releases, unpack } = await aServer()
  const archive = pack(home, `coin-site-v1.0.0-1a2b3c4d-${platform}`)
  const sums = writeSums(archive)
  writeFileSync(archive, 'other')
  expect(() => unpack(archive)).toThrow('doesn’t match its checksum')
  writeFileSync(sums, '')
  expect(() => unpack(archive)).toThrow(/doesn’t list coin-site-v1\.0\.0/)
  expect(readdirSync(releases)).toEqual([])
})

test('requires a signature of the key that the server has', async () => {
  const { home, releases, publicKey, unpack } = await aServer()
  const archive = pack(home, `coin-site-v1.0.0-1a2b3c4d-${platform}`)
  const sums = writeSums(archive)
  writeFileSync(publicKey, '')
  expect(() => unpack(archive)).toThrow('isn’t signed')
  const own = sign(home, sums, 'own')
  writeFileSync(publicKey, readFileSync(own))
  expect(unpack(archive)).toContain('coin-site-v1.0.0')
  expect(existsSync(`${sums}.signers`)).toBe(false)
  execFileSync('rm', [`${sums}.sig`])
  sign(home, sums, 'another')
  expect(() => unpack(archive)).toThrow('wasn’t signed with the key')
  expect(readdirSync(releases)).toHaveLength(1)
})

test('refuses other platforms, other archives, and missing files', async () => {
  const { home, releases, unpack } = await aServer()
  expect(() => unpack(pack(home, 'coin-site-v1.0.0-1a2b3c4d-plan9-mips'))).toThrow(
    'doesn’t run on this machine',
  )
  expect(() => unpack(join(home, 'missing.tar.gz'))).toThrow('There is no file')
  const other = join(home, 'other.tar.gz')
  execFileSync('tar', ['-czf', other, '-C', home, 'packed'])
  expect(() => unpack(other)).toThrow('isn’t a release of this product')
  writeFileSync(other, 'text')
  expect(() => unpack(other)).toThrow('can’t be unpacked, so nothing was changed')
  expect(readdirSync(releases)).toEqual([])
})
