import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A packed release says from which commit it is; sources say their version. */
function readVersion(): string {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  try {
    return read('VERSION').split('\n')[0]!
  } catch {
    return (JSON.parse(read('package.json')) as { version: string }).version
  }
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
  version: readVersion(),
  node: process.versions.node,
  startedAt: new Date(),
}
