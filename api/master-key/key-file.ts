import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from '../start-refused.ts'

const keyFile = (dataDir: string) => join(dataDir, 'keys', 'master.key')
const nextFile = (dataDir: string) => join(dataDir, 'keys', 'master.key.next')

/** The master key of `dataDir`, made at the first start and readable by its owner only. */
export function readOrMakeMasterKey(dataDir: string): Buffer {
  const file = keyFile(dataDir)
  if (existsSync(nextFile(dataDir)))
    throw new StartRefused(
      'A change of the master key was interrupted; run npm run keys:rotate to finish it.',
    )
  if (!existsSync(file)) {
    mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('base64') + '\n', { mode: 0o600, flag: 'wx' })
  }
  return readKeyFile(file)
}

function readKeyFile(file: string): Buffer {
  chmodSync(file, 0o600)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32)
    throw new StartRefused(`The key file ${file} is damaged; restore it from your backup.`)
  return key
}

/** The key in use, and the next one if a rotation has begun. */
export const readKeyFiles = (dataDir: string): { now: Buffer; next: Buffer | undefined } => ({
  now: readKeyFile(keyFile(dataDir)),
  next: existsSync(nextFile(dataDir)) ? readKeyFile(nextFile(dataDir)) : undefined,
})

/** When it returns, the next key is on disk, next to the one in use. */
export function makeNextKey(dataDir: string): Buffer {
  const key = randomBytes(32)
  const file = openSync(nextFile(dataDir), 'wx', 0o600)
  writeFileSync(file, key.toString('base64') + '\n')
  fsyncSync(file)
  closeSync(file)
  return key
}

export const dropNextKey = (dataDir: string): void => rmSync(nextFile(dataDir))
export const adoptNextKey = (dataDir: string): void => renameSync(nextFile(dataDir), keyFile(dataDir))
