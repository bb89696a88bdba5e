import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

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
export function traceModules(root: string, entries: readonly string[]): Traced {
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
