import { escapeLiteral } from 'pg'
import type { Credentials } from './cluster/cluster.ts'
import { asSuperuser } from './postmaster/running-server.ts'

/**
 * Creates the product's role and database if they are missing, which is safe to repeat after an interrupted
 * start. The role is not a superuser; it can create databases, so that tests can copy a template.
 */
export async function ensureApplicationDatabase(port: number, credentials: Credentials): Promise<void> {
  await asSuperuser(port, credentials, async (client) => {
    const { rows } = await client.query<{ hasRole: boolean; hasDatabase: boolean }>(`
      select exists (select from pg_roles where rolname = 'app') as "hasRole",
             exists (select from pg_database where datname = 'app') as "hasDatabase"`)
    const { hasRole, hasDatabase } = rows[0]!
    if (!hasRole) {
      // One statement string is one transaction: the role never exists without its settings. Error messages
      // quote input; the product logs its own errors, without values.
      await client.query(`
        create role app login createdb password ${escapeLiteral(credentials.app)};
        alter role app set log_min_messages = 'fatal'`)
    }
    if (!hasDatabase) await client.query('create database app owner app')
  })
}

export function applicationUrl(port: number, credentials: Credentials): string {
  return `postgres://app:${credentials.app}@127.0.0.1:${port}/app`
}
