import type { Config } from '../config.ts'
import { listAlive } from '../jobs/job.queries.ts'
import { checked, type Check } from './check.ts'
import { readServer, readStanding } from './health.queries.ts'

/** End of support of each PostgreSQL release (https://www.postgresql.org/support/versioning/). */
const mendedUntil: Readonly<Record<number, string>> = {
  13: '2025-11-13',
  14: '2026-11-12',
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
}

/** In addition to its pool, an instance uses a connection for notifications, and one for locks of jobs. */
const besides = 2
const lagMax = 60

/** A pooler shares few connections among many, so the sum is meaningless. */
const isPooled = ({ databaseUrl, databaseDirectUrl, preparesStatements }: Config): boolean =>
  !preparesStatements || (databaseDirectUrl !== undefined && databaseDirectUrl !== databaseUrl)

export const checkDatabase: Check = async ({ db, config }) => {
  const begun = performance.now()
  const { version, bytes, used, max, standbys, lagSeconds } = await readServer(db)
  const answerTime = Math.round(performance.now() - begun)
  const standing = await readStanding(db)
  const instances = Math.max(1, (await listAlive(db)).length)
  const pool = config.poolLimits.connections
  const isGiven = config.databaseUrl !== undefined
  const isReal = config.isProduction
  const end = mendedUntil[standing.major]
  return checked('database', {
    facts: {
      version,
      size: bytes,
      answerTime,
      connections: `${used} / ${max}`,
      pools: `${instances} × ${pool}`,
      standbys,
      lag: lagSeconds === null ? undefined : Math.round(lagSeconds * 1000),
    },
    problems: {
      database_connections: used > 0.8 * max,
      database_embedded: isReal && !isGiven,
      database_old: end === undefined ? standing.major < 13 : Date.parse(end) < Date.now(),
      database_read_only: standing.isReadOnly,
      // On a developer's machine, data lost in a power failure doesn't matter.
      database_fsync_off: isReal && standing.fsync === 'off',
      database_pages_off: isReal && standing.fullPageWrites === 'off',
      database_commits_early: isReal && standing.synchronousCommit === 'off',
      database_superuser: isReal && isGiven && standing.isSuperuser,
      database_rights: !standing.mayCreate || !standing.ownsTables,
      database_pool: !isPooled(config) && instances * (pool + besides) > max - standing.reserved,
      database_lag: lagSeconds !== null && lagSeconds > lagMax,
    },
  })
}
