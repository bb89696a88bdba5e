import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the milliseconds of processor time that some work took, in all threads of this process and in the processes
 * it started. On a busy machine work waits longer, but uses no more processor time.
 */
export async function processorTimeOf(work: () => unknown): Promise<number> {
  const begun = now()
  await work()
  return now() - begun
}

const now = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + timeOfChildren()
}

/** /proc counts in ticks of 1/100 second, whatever the kernel's timer frequency (`man 5 proc`, USER_HZ). */
const tick = 10

/** Milliseconds of child processes, running and ended. Linux only; elsewhere only this process is counted. */
function timeOfChildren(): number {
  if (process.platform !== 'linux') return 0
  const ended = statOf('self')
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === process.pid)
  return tick * ((ended?.ofEnded ?? 0) + living.reduce((sum, stat) => sum + (stat?.own ?? 0), 0))
}

/** Fields 4 and 14 to 17 of `/proc/<pid>/stat`. The second field, a name in parentheses, can contain spaces. */
function statOf(pid: string): { parent: number; own: number; ofEnded: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent, own, ofEnded] = [fields[1]!, fields[11]! + fields[12]!, fields[13]! + fields[14]!]
    return { parent, own, ofEnded }
  } catch {
    return undefined
  }
}
