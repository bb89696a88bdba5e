import type { Tx } from '../db/database.ts'
import { instance } from './instance.ts'
import { listSuspects } from './job.queries.ts'

/**
 * The IDs of instances that ended without releasing their claims, for example after `kill -9` or a power
 * failure. On the same machine the process ID tells at once. Elsewhere it takes three minutes of silence.
 */
export async function listGone(
  db: Tx,
  { within, own = instance }: { within: number; own?: Pick<typeof instance, 'id' | 'machine'> },
): Promise<string[]> {
  const suspects = await listSuspects(db, own, within)
  return suspects
    .filter(({ isSilent, isHere, pid }) => isSilent || (isHere && pid !== null && !isRunning(pid)))
    .map(({ id }) => id)
}

function isRunning(pid: number): boolean {
  // In a restarted container this process may have the process ID of the previous one.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Other errors mean that it exists, such as EPERM for a process of another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
