import { randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartRefused } from '../start-refused.ts'
import { commandLine } from '../command-line.ts'

const keyFile = (dataDir: string) => join(dataDir, 'keys', 'master.key')
const nextFile = (dataDir: string) => join(dataDir, 'keys', 'master.key.next')

/** The master key of `dataDir`, created at the first start and readable only by its owner. */
export function readOrMakeMasterKey(dataDir: string): Buffer {
  const file = keyFile(dataDir)
  if (existsSync(nextFile(dataDir)))
    throw new StartRefused(
      `A master key rotation was interrupted. Run ${commandLine('keys:rotate')} to finish it.`,
    )
  if (!existsSync(file)) {
    mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 })
    keepDirectory(dataDir)
    placeNewKey(file)
  }
  return readKeyFile(file)
}

/**
 * The complete key is on disk before it gets its name, and of two concurrent starts the first one names its
 * key: the other reads that. So data sealed with a key never exists without it.
 */
function placeNewKey(file: string, key: Buffer = randomBytes(32)): void {
  const made = `${file}.${randomUUID()}`
  writeKey(made, key)
  try {
    linkSync(made, file)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // A file system without links: at least existing files are not replaced.
    if (noLinks.has(code)) copyFileSync(made, file, constants.COPYFILE_EXCL)
    else if (code !== 'EEXIST') throw error
  } finally {
    rmSync(made, { force: true })
  }
  keepFile(file)
  keepDirectory(dirname(file))
}

const noLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])

function writeKey(path: string, key: Buffer): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, key.toString('base64') + '\n')
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function keepFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Makes its names survive a power failure. Some network file systems do not support this request for
 * directories, and persist them anyway.
 */
function keepDirectory(path: string): void {
  try {
    keepFile(path)
  } catch (error) {
    if (!['EINVAL', 'EISDIR', 'ENOTSUP', 'EBADF'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error
  }
}

function readKeyFile(file: string): Buffer {
  chmodSync(file, 0o600)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32)
    throw new StartRefused(`The key file ${file} is damaged. Restore it from your backup.`)
  return key
}

function existing(file: string): string {
  if (existsSync(file)) return file
  throw new StartRefused(`There is no key at ${file}. Set DATA_DIR or ENCRYPTION_KEY to the correct key.`)
}

export const hasKeyFile = (dataDir: string): boolean => existsSync(keyFile(dataDir))

/** Writes the key of a backup, if there is none. */
export function writeMasterKey(dataDir: string, key: Buffer): void {
  mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 })
  keepDirectory(dataDir)
  placeNewKey(keyFile(dataDir), key)
}

/** The key in use, and the next one if a rotation has started. */
export const readKeyFiles = (dataDir: string): { now: Buffer; next: Buffer | undefined } => ({
  now: readKeyFile(existing(keyFile(dataDir))),
  next: existsSync(nextFile(dataDir)) ? readKeyFile(nextFile(dataDir)) : undefined,
})

/** Resolves when the next key is on disk, next to the one in use. */
export function makeNextKey(dataDir: string): Buffer {
  const key = randomBytes(32)
  const file = nextFile(dataDir)
  writeKey(file, key)
  keepDirectory(dirname(file))
  return key
}

export function deleteNextKey(dataDir: string): void {
  rmSync(nextFile(dataDir))
  keepDirectory(join(dataDir, 'keys'))
}

export function adoptNextKey(dataDir: string): void {
  renameSync(nextFile(dataDir), keyFile(dataDir))
  keepDirectory(join(dataDir, 'keys'))
}
