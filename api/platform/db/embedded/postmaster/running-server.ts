import { realpathSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { SECOND } from '#contract/platform/durations.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import type { Cluster, Credentials } from '../cluster/cluster.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { isPostmasterOf } from './process-identity.ts'

type RunningServer = { pid: number; port: number; version: string }

/** A session of the supervisor itself, as superuser. */
export async function asSuperuser<T>(
  port: number,
  credentials: Credentials,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: credentials.superuser,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 3 * SECOND,
    query_timeout: 10 * SECOND,
  })
  // Others may stop the server at any moment; the pending call then fails by itself.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * The server that runs on the cluster, if it is verified as ours: its process was started on our data
 * directory, it accepts our password, and it names our data directory. Waits while it starts, recovers, or
 * stops. Null if there is none.
 */
export async function findRunningServer(
  cluster: Cluster,
  credentials: Credentials,
): Promise<RunningServer | null> {
  const giveUpAt = performance.now() + 60 * SECOND
  for (;;) {
    const file = readPostmasterFile(cluster.data)
    if (!file || !isPostmasterOf(file.pid, cluster.data)) return null
    const answer = await ask(file.port, credentials)
    if (answer.ours && isSameFolder(answer.data, cluster.data)) return { ...file, version: answer.version }
    if (answer.ours || answer.isDenied || performance.now() > giveUpAt) {
      throw new StartRefused(
        `PostgreSQL is already running on ${cluster.data} as process ${file.pid} but doesn’t accept connections. Stop that process, then start again.`,
      )
    }
    await pause(50)
  }
}

type Answer = { ours: true; data: string; version: string } | { ours: false; isDenied: boolean }

async function ask(port: number, credentials: Credentials): Promise<Answer> {
  try {
    return await asSuperuser(port, credentials, async (client) => {
      const { rows } = await client.query<{ data: string; version: string }>(
        `select current_setting('data_directory') as data, current_setting('server_version') as version`,
      )
      return { ours: true, ...rows[0]! }
    })
  } catch (error) {
    const wrongPassword = '28P01'
    return { ours: false, isDenied: (error as { code?: string }).code === wrongPassword }
  }
}

function isSameFolder(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return one === other
  }
}
