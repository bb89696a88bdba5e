import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The server's own record of its run. `isReady` is false while it starts, recovers, or stops. */
type PostmasterFile = { pid: number; port: number; isReady: boolean }

/**
 * Lines of postmaster.pid: process ID, data directory, start time, port, socket folder, address, shared memory,
 * status.
 */
export function readPostmasterFile(data: string): PostmasterFile | null {
  const lines = linesOf(join(data, 'postmaster.pid'))
  if (!lines) return null
  return { pid: Number(lines[0]), port: Number(lines[3] ?? 0), isReady: lines[7]?.trim() === 'ready' }
}

export function removePostmasterFile(data: string): void {
  rmSync(join(data, 'postmaster.pid'), { force: true })
}

/** The port of the previous run, which PostgreSQL stores in postmaster.opts. */
export function lastPort(data: string): number | null {
  const [options] = linesOf(join(data, 'postmaster.opts')) ?? []
  const port = Number(options?.match(/"-p" "(\d+)"/)?.[1])
  return port > 0 ? port : null
}

function linesOf(path: string): string[] | null {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return null
  }
}
