import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '#api/platform/start-refused.ts'
import { type Account, asAccount } from './account.ts'
import type { Engine } from './engine-package.ts'

/** The environment of PostgreSQL's programs. The operator's PG* and locale settings are not passed on. */
export const engineEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * PostgreSQL's programs, ready to run as the given account: from the npm package if possible, else from a copy
 * in `place` (if the package is read-only without its links, not accessible to the account, or not executable).
 */
export function prepareEngine(packaged: Engine, place: string, account: Account | null): Engine {
  if (linkLibraries(packaged.directory) && whyNotRunnable(packaged, account) === null) return packaged

  const copy = { directory: join(place, `engine-${packaged.version}`), version: packaged.version }
  if (!existsSync(copy.directory)) copyEngine(packaged.directory, copy.directory)
  const reason = linkLibraries(copy.directory)
    ? whyNotRunnable(copy, account)
    : 'its library links can’t be created'
  if (reason === null) return copy
  throw new StartRefused(
    `The embedded PostgreSQL can’t run here (${reason}). Allow programs to run from ${copy.directory}, start as a non-root user, or set DATABASE_URL.`,
  )
}

type Link = { source: string; target: string }

/** npm packages cannot contain symbolic links; if install scripts are blocked, they do not exist yet. */
function linkLibraries(directory: string): boolean {
  const root = dirname(directory)
  const links = JSON.parse(readFileSync(join(directory, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const link = join(root, inside(directory, target))
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(link)) return false
    }
  }
  return true
}

/** The list says `native/lib/…`, while the folder of a copy may not be called `native`. */
function inside(directory: string, path: string): string {
  return join(basename(directory), path.replace(/^native\//, ''))
}

function whyNotRunnable(engine: Engine, account: Account | null): string | null {
  const run = spawnSync(join(engine.directory, 'bin/postgres'), ['--version'], {
    ...asAccount(account),
    cwd: '/',
    env: engineEnvironment,
    encoding: 'utf8',
  })
  if (run.error) return run.error.message
  return run.status === 0
    ? null
    : run.stderr.trim().split('\n').at(-1) || `it exited with ${run.signal ?? run.status}`
}

/** Copies to a sibling folder and renames it, so that an interrupted copy is never used as an engine. */
function copyEngine(from: string, to: string): void {
  for (const name of readdirSync(dirname(to))) {
    if (name.startsWith('engine-')) rmSync(join(dirname(to), name), { recursive: true, force: true })
  }
  const unfinished = mkdtempSync(join(dirname(to), 'engine-new-'))
  copyFolder(from, unfinished)
  renameSync(unfinished, to)
}

/** Modes are set, not copied: a strict umask at installation must not lock out the server's account. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory() && entry.name !== 'pkgconfig') copyFolder(source, target)
    if (entry.isFile() && !entry.name.endsWith('.a')) {
      copyFileSync(source, target)
      chmodSync(target, basename(from) === 'bin' ? 0o755 : 0o644)
    }
  }
}
