import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Two processes with the same value see each other's process IDs. Linux names both; elsewhere there is no such value. */
function readMachine(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** This process, among those that share the database. */
export const instance = {
  id: randomUUID(),
  host: hostname(),
  machine: readMachine(),
  pid: process.pid,
  version,
  node: process.versions.node,
  startedAt: new Date(),
}
