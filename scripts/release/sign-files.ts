import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PackRefused } from '../identify-release.ts'

/** The list of checksums, in the format of `sha256sum`. */
const sums = 'SHA256SUMS'
/** The signature is only valid for this purpose, so a key that also signs commits can be used. */
const namespace = 'coin-site-release'

/** Writes the SHA-256 checksum of each file in the folder. */
export function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .filter((name) => !name.startsWith(sums))
    .toSorted()
    .map((name) => {
      const sum = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      return `${sum}  ${name}\n`
    })
  writeFileSync(join(folder, sums), lines.join(''))
}

/** Signs the checksums with an SSH key, which covers every file that they list. */
export function signChecksums(folder: string, key: string): void {
  // ssh-keygen asks before it overwrites a signature.
  rmSync(join(folder, `${sums}.sig`), { force: true })
  const signed = spawnSync('ssh-keygen', ['-Y', 'sign', '-n', namespace, '-f', key, join(folder, sums)], {
    // It asks for the passphrase of the key on the terminal.
    stdio: ['inherit', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (signed.status !== 0)
    throw new PackRefused(
      `The checksums couldn’t be signed. RELEASE_SIGNING_KEY must be the path of an SSH key (ssh-keygen -t ed25519), and ssh-keygen must be installed.\n${signed.stderr ?? ''}`,
    )
}
