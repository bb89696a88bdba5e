import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** /proc counts in ticks of 1/100 second, whatever the kernel's timer frequency (`man 5 proc`, USER_HZ). */
const tick = 10

type Stat = { parent: number; own: number; ofEnded: number }

/**
 * Fields 4 and 14 to 17 of `/proc/<pid>/stat`. The second field, a name in parentheses, can contain spaces and
 * parentheses.
 */
export function readStat(text: string): Stat {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return {
    parent: fields[1]!,
    own: tick * (fields[11]! + fields[12]!),
    ofEnded: tick * (fields[13]! + fields[14]!),
  }
}

function statOf(pid: number): Stat | undefined {
  try {
    return readStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

export const parentOf = (pid: number): number | undefined => statOf(pid)?.parent

export function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => statOf(each)?.parent === pid)
}

/**
 * Milliseconds of processor time of all threads of a process and its children, including those that have ended. Linux
 * only.
 */
export function processorTimeOf(pid: number): number | undefined {
  const own = ownTimeOf(pid)
  if (own === undefined) return undefined
  const children = childrenOf(pid).map((child) => statOf(child)?.own ?? 0)
  return own + children.reduce((sum, each) => sum + each, 0)
}

/** As above, without children that still run. */
export function ownTimeOf(pid: number): number | undefined {
  const stat = process.platform === 'linux' ? statOf(pid) : undefined
  return stat && stat.own + stat.ofEnded
}

/** Milliseconds of processor time of the whole machine since it started. */
export const machineTime = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)

/** Memory of processes in bytes, with shared memory counted once. A process that has ended has none. */
export const memoryOf = (pids: readonly number[]): number =>
  pids.map(shareOf).reduce((sum, each) => sum + each, 0)

function shareOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Memory of one process: the current or the peak value. */
export const residentOf = (pid: number, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
