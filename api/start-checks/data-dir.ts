import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from '#contract/platform/durations.ts'
import { StartRefused } from '../platform/start-refused.ts'

/** Thrown if a file system call hangs: the process can't exit normally, because its exit waits for that call. */
export class FilesHang extends StartRefused {}

const answerTimeMax = 10 * SECOND

/**
 * Creates the data directory if it is missing, and writes a test file. A network file system whose server is away does
 * not respond, so without this check no one would know what the server is waiting for. A full disk is no reason to
 * refuse to start.
 */
export async function requireDataDir(
  dataDir: string,
  {
    patience = answerTimeMax,
    tryOut = writeAndRemove,
  }: { patience?: number; tryOut?: typeof writeAndRemove } = {},
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new FilesHang(
            `The directory ${dataDir} in DATA_DIR isn’t responding. If it’s on another machine, check the network file system and start again.`,
          ),
        ),
      patience,
    )
  })
  try {
    await Promise.race([tryOut(dataDir), late])
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (error instanceof StartRefused) throw error
    if (!full.has(code))
      throw new StartRefused(
        `The directory ${dataDir} in DATA_DIR can’t be created or written to (${code || 'unknown'}). Choose one that this user can write to.`,
      )
  } finally {
    clearTimeout(timer)
  }
}

const full = new Set(['ENOSPC', 'EDQUOT'])

async function writeAndRemove(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  const file = join(dataDir, `.trial-${randomUUID()}`)
  try {
    await writeFile(file, '')
  } finally {
    await rm(file, { force: true })
  }
}
