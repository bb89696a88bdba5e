import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '#api/platform/start-refused.ts'
import { isReleaseName, type Installation } from './installation.ts'

/** Folders of this name are left by an interrupted command. */
const unpacking = '.unpacking'

/**
 * Checks an archive and unpacks it into the folder of releases, completely or not at all. Returns the name of the release.
 * A release that is installed already is left as it is.
 */
export function unpackRelease({ releases }: Installation, archive: string, publicKey: string): string {
  requireArchive(archive)
  requireChecksum(archive)
  requireSignature(archive, publicKey)
  const folder = join(releases, unpacking)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  try {
    const { status, stderr } = spawnSync('tar', ['-xzf', archive, '-C', folder, '--no-same-owner'], {
      encoding: 'utf8',
    })
    if (status !== 0) {
      const lines = stderr.trim().split('\n')
      const reason = lines.find((line) => line.includes('No space')) ?? lines[0]
      throw new StartRefused(`${archive} can’t be unpacked, so nothing was changed: ${reason}`)
    }
    const name = requireRelease(folder, archive)
    if (!existsSync(join(releases, name))) renameSync(join(folder, name), join(releases, name))
    return name
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function requireArchive(archive: string): void {
  if (!existsSync(archive)) throw new StartRefused(`There is no file ${archive}.`)
}

/** The archive must contain one release that runs here. */
function requireRelease(folder: string, archive: string): string {
  const [name = '', ...others] = readdirSync(folder)
  const isRelease = others.length === 0 && existsSync(join(folder, name, 'VERSION'))
  if (!isRelease) throw new StartRefused(`${archive} isn’t a release of this product.`)
  const node = join(folder, name, 'node_modules/node/bin/node')
  if (!isReleaseName(name) || spawnSync(node, ['--version']).status !== 0)
    throw new StartRefused(
      `${name} doesn’t run on this machine. It needs a release for ${process.platform}-${process.arch}.`,
    )
  return name
}

const sumsOf = (archive: string): string => join(dirname(archive), 'SHA256SUMS')

function requireChecksum(archive: string): void {
  const sums = sumsOf(archive)
  if (!existsSync(sums)) return console.log(`The checksum wasn’t checked, because there is no ${sums}.`)
  const listed = readFileSync(sums, 'utf8')
    .split('\n')
    .find((line) => line.endsWith(`  ${basename(archive)}`))
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  if (!listed) throw new StartRefused(`${sums} doesn’t list ${basename(archive)}.`)
  if (!listed.startsWith(`${sum} `))
    throw new StartRefused(`${archive} doesn’t match its checksum in ${sums}. Download it again.`)
}

/** A public key on this server makes the signature mandatory. A key beside the archive would prove nothing. */
function requireSignature(archive: string, publicKey: string): void {
  const sums = sumsOf(archive)
  if (!existsSync(publicKey))
    return console.log(`The signature wasn’t checked, because there is no ${publicKey}.`)
  if (!existsSync(sums) || !existsSync(`${sums}.sig`))
    throw new StartRefused(
      `The release isn’t signed, but ${publicKey} requires a signature: ${sums} or ${sums}.sig is missing.`,
    )
  const signers = `${sums}.signers`
  writeFileSync(signers, `releases ${readFileSync(publicKey, 'utf8')}`)
  try {
    const words = ['-Y', 'verify', '-f', signers, '-I', 'releases', '-n', 'coin-site-release']
    const { status } = spawnSync('ssh-keygen', [...words, '-s', `${sums}.sig`], { input: readFileSync(sums) })
    if (status !== 0)
      throw new StartRefused(`${sums} wasn’t signed with the key ${publicKey}. Don’t install this release.`)
  } finally {
    rmSync(signers)
  }
}
