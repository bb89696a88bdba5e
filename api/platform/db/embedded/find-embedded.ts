import { existsSync, realpathSync } from 'node:fs'
import { applicationUrl } from './application-database.ts'
import { clusterIn, inspectCluster, isAbsent } from './cluster/cluster.ts'
import { knownPlace } from './cluster/place.ts'
import { findRunningServer } from './postmaster/running-server.ts'

/**
 * The database in DATA_DIR, without starting, taking over, or locking anything: `absent`, `stopped`, or the
 * address of the server that another process runs.
 */
export async function findEmbedded(dataDir: string): Promise<'absent' | 'stopped' | { url: string }> {
  if (!existsSync(dataDir)) return 'absent'
  const cluster = clusterIn(knownPlace(realpathSync(dataDir)))
  if (isAbsent(cluster)) return 'absent'
  const credentials = inspectCluster(cluster)
  const running = await findRunningServer(cluster, credentials)
  return running ? { url: applicationUrl(running.port, credentials) } : 'stopped'
}
