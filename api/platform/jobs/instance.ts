import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A packaged release contains its commit; a source checkout has its version. */
function readVersion(): string {
  const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  try {
    return read('VERSION').split('\n')[0]!
  } catch {
    return (JSON.parse(read('package.json')) as { version: string }).version
  }
}

/** Processes with the same value can see each other's process IDs. Linux provides one; other systems do not. */
function readMachine(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** This process among those that share the database. */
export const instance = {
  id: randomUUID(),
  host: hostname(),
  machine: readMachine(),
  pid: process.pid,
  version: readVersion(),
  node: process.versions.node,
  startedAt: new Date(),
}
