import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
/** A few databases and the browser's files use a tenth of it. */
const roomMin = 4 * 1024 ** 3

/**
 * A folder in memory for data that need not outlast a test, because creating and dropping databases is mostly waiting
 * for a disk. Used only if there is room and programs can be run from it: the database engine is copied there if its
 * own user could not reach it.
 */
export function findQuickStorage(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= roomMin && runsPrograms() ? memory : undefined
  } catch {
    return undefined
  }
}

export const isInMemory = (directory: string): boolean => directory.startsWith(`${memory}/`)

function runsPrograms(): boolean {
  const folder = mkdtempSync(join(memory, 'tests-'))
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  const { status } = spawnSync(program)
  rmSync(folder, { recursive: true })
  return status === 0
}
