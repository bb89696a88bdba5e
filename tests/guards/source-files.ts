import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Generated folders. Hidden ones and installed packages are excluded as well. */
const made = new Set(['dist', 'data', 'release', 'test-results'])

/** Returns every folder and file of the repository as paths from its root. Folders end in a slash. */
export function listPaths(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name
    const isMade = entry.name === 'node_modules' || (folder === '' && made.has(entry.name))
    if (entry.name.startsWith('.') || isMade) return []
    return entry.isDirectory() ? [`${path}/`, ...listPaths(`${path}/`)] : [path]
  })
}

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

export const isThere = (path: string): boolean => existsSync(join(root, path))

const isTest = (path: string): boolean => /\.(test|e2e)\.tsx?$/.test(path)

/** Returns the TypeScript files of the product in a folder, without tests. */
export const sourcesIn = (folder: string): string[] =>
  listPaths(`${folder}/`).filter((path) => /\.tsx?$/.test(path) && !isTest(path))

/** Returns the imports of a file: a path from the root for our own files, otherwise the name of a package. */
export function importsOf(path: string): string[] {
  const names = textOf(path).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)
  return [...names].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(path), name)) : name.replace(/^#/, ''),
  )
}
