import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** This process, among those that share the database. */
export const instance = {
  id: randomUUID(),
  host: hostname(),
  version,
  node: process.versions.node,
  startedAt: new Date(),
}
