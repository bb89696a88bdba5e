import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programDirectory, programs } from '../serve/built-files.ts'
import { checkContent } from './check-content.ts'
import { compressBuilt } from './compress-built.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const record = join(root, 'dist', 'built-from')
const checked = join(root, 'dist', 'checked-content')
/** The sources of a build. Words, facts and media are read and served as they are. */
const sources = [
  'web',
  'contract',
  'content/brand.json',
  'content/colours.json',
  'content/facts/common-passwords.json',
  'vite.config.ts',
  'package-lock.json',
  'scripts/compress-built.ts',
  'serve/compress.ts',
]
const apart = new Set([
  join('content', 'media'),
  join('content', 'documents'),
  join('content', 'emails'),
  join('content', 'samples'),
])

/** Builds the site unless the existing build is from exactly these sources. Mistakes in the content stop it in any case. */
export async function buildIfStale(): Promise<void> {
  const content = fingerprintOf(['content'])
  if (!isRecorded(checked, content)) requireRightContent()
  const fingerprint = fingerprintOf(sources)
  if (!isRecorded(record, fingerprint)) await build(fingerprint)
  writeFileSync(checked, content)
}

const isRecorded = (file: string, fingerprint: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8') === fingerprint

function requireRightContent(): void {
  const problems = checkContent(root)
  if (problems.length > 0) {
    console.error(['The content has mistakes:', ...problems].join('\n'))
    process.exit(1)
  }
}

async function build(fingerprint: string): Promise<void> {
  console.log('Building the site …')
  rmSync(record, { force: true })
  const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
  // In a separate process, so that the builder does not stay in the server's memory.
  const built = spawnSync(process.execPath, [vite, 'build', '--app', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (built.status !== 0) process.exit(1)
  for (const program of programs) await compressBuilt(join(programDirectory(root, program), 'assets/app'))
  writeFileSync(record, fingerprint)
}

function fingerprintOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesUnder))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function filesUnder(path: string): string[] {
  if (apart.has(path)) return []
  if (statSync(join(root, path)).isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)))
}
