import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from '#api/platform/operations/print-message.ts'
import { programDirectory, programs } from '../serve/built-files.ts'
import { checkContent } from './check-content.ts'
import { compressBuilt } from './compress-built.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const record = join(root, 'dist', 'built-from')
const checked = join(root, 'dist', 'checked-content')
/** Exists in a packed release and records which content files were built in. */
export const packedWith = 'dist/packed-with'
/** Messages, other data files, and media are read at runtime and served as they are. */
const builtIntoScripts = [
  'content/brand.json',
  'content/colours.json',
  'content/facts/common-passwords.json',
  'content/languages.json',
]
/**
 * Everything that determines the contents of a build. An architecture test compares the list with the imports of the
 * built files.
 */
export const buildSources = [
  'web',
  'contract',
  ...builtIntoScripts,
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'scripts/build-site.ts',
  'scripts/compress-built.ts',
  'scripts/slim-contract.ts',
  'serve/built-files.ts',
  'serve/response-cache/compress.ts',
]
/** Everything that determines whether the content is valid, including the rules, so that an upgrade checks it again. */
const checkSources = ['content', 'api/publishing/content/rules', 'scripts/check-content.ts']
/** Large folders, for which only the file names are checked. Lists of their files are checked in full. */
const isNamedOnly = (path: string): boolean =>
  /^content\/(?:media|documents)\//.test(path) && !path.endsWith('.json')

/** Builds the site unless the existing build is from exactly these sources. Errors in the content abort in any case. */
export async function buildIfStale(): Promise<void> {
  const content = fingerprintOf(checkSources)
  const isChecked = isRecorded(checked, content)
  if (!isChecked) requireRightContent()
  if (isPacked()) requireOwnBrand()
  else {
    const fingerprint = fingerprintOf(buildSources)
    if (!isRecorded(record, fingerprint)) await build(fingerprint)
  }
  if (!isChecked) note(checked, content)
}

/** A packed release contains no bundler, and only the sources needed at runtime. */
const isPacked = (): boolean => existsSync(join(root, packedWith))

function requireOwnBrand(): void {
  if (readFileSync(join(root, packedWith), 'utf8') === fingerprintOf(builtIntoScripts)) return
  say(
    'refused',
    `These content files are compiled into the scripts: ${builtIntoScripts.join(', ')}. Change them in the source and pack the release again.`,
  )
  process.exit(1)
}

export const packedBrand = (): string => fingerprintOf(builtIntoScripts)

/**
 * A result of the content check is stored only for the next start, so in a read-only folder the content is checked at
 * every start.
 */
function note(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    if (!isUnwritable(error)) throw error
  }
}

const isUnwritable = (error: unknown): boolean =>
  ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')

function requireRoomToBuild(): void {
  try {
    mkdirSync(join(root, 'dist'), { recursive: true })
    rmSync(record, { force: true })
    accessSync(join(root, 'dist'), constants.W_OK)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    say(
      'refused',
      'The site isn’t built from these sources, and this folder isn’t writable. Run npm run build as a user who can write to it, then start again.',
    )
    process.exit(1)
  }
}

const isRecorded = (file: string, fingerprint: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8') === fingerprint

function requireRightContent(): void {
  const problems = checkContent(root)
  if (problems.length > 0) {
    say('refused', ['The content has errors:', ...problems].join('\n'))
    process.exit(1)
  }
}

async function build(fingerprint: string): Promise<void> {
  requireRoomToBuild()
  say('started', 'Building the site…')
  const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
  if ((await run(vite, ['build', '--app', '--logLevel', 'warn'])) !== 0) process.exit(1)
  for (const program of programs) {
    removeFolder(join(programDirectory(root, program), '.vite/manifest.json'))
    await compressBuilt(join(programDirectory(root, program), 'assets/app'))
  }
  writeFileSync(record, fingerprint)
}

/** Vite names a style sheet that is imported by its URL with its full path, but builds in two folders must be equal. */
const removeFolder = (file: string): void =>
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(JSON.stringify(root).slice(1, -1), ''))

/**
 * Runs in a separate process, so that the bundler does not stay in the server's memory. Stopping the server stops it as
 * well.
 */
const run = (script: string, words: string[]): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...words], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
    const pass = (signal: NodeJS.Signals) => child.kill(signal)
    for (const signal of signals) process.on(signal, pass)
    child.on('exit', (code) => {
      for (const signal of signals) process.off(signal, pass)
      resolve(code)
    })
  })

function fingerprintOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesUnder)) {
    hash.update(path).update('\0')
    if (!isNamedOnly(path)) hash.update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesUnder(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesUnder(`${path}/${name}`))
}
