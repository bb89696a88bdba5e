import { expect, test } from 'vitest'
import { buildSources } from '../../scripts/build-site.ts'
import { importsOf, isThere, listPaths, sourcesIn, textOf } from './source-files.ts'

/* `npm start` rebuilds only if one of these files has changed. A file that is built in but not listed would leave
   the old build in place, so that server and pages disagree. */

const isListed = (path: string): boolean =>
  buildSources.some((source) => path === source || path.startsWith(`${source}/`))

/** Type-only imports leave no trace in a build. */
const typesOf = (path: string): Set<string> => {
  const types = textOf(path).matchAll(
    /\bimport type [^;]*?from\s*['"]([^'"]+)['"]|typeof import\(['"]([^'"]+)['"]\)/g,
  )
  return new Set([...types].map(([, one, other]) => (one ?? other ?? '').replace(/^#/, '')))
}

/**
 * Returns our files that a build contains or runs: everything that the pages, the contract, and the bundler
 * configuration import.
 */
function filesBuilt(): string[] {
  const seen = new Set<string>()
  const queue = [
    ...sourcesIn('web'),
    ...sourcesIn('contract'),
    'vite.config.ts',
    'scripts/compress-built.ts',
    'serve/built-files.ts',
  ]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path) || !isThere(path)) continue
    seen.add(path)
    if (!/\.(?:tsx?|mjs)$/.test(path)) continue
    const types = typesOf(path)
    queue.push(...importsOf(path).filter((imported) => !types.has(imported)))
  }
  return [...seen].filter((path) => !path.startsWith('node_modules/'))
}

test('the sources of a build are all the files that it holds or runs', () => {
  const built = filesBuilt()
  expect(built.length).toBeGreaterThan(500)
  expect(built).toContain('content/languages.json')
  expect(built.filter((path) => !isListed(path))).toEqual([])
})

test('what the builder reads by its name is a source, too', () => {
  const named = textOf('vite.config.ts').matchAll(/['"]((?:content|web|contract|serve)\/[\w./-]+)['"]/g)
  const paths = Array.from(named, ([, path]) => path!)
  expect(paths).toContain('content/colours.json')
  expect(paths.filter((path) => isThere(path) && !isListed(path))).toEqual([])
})

test('every source of a build is there', () => {
  expect(buildSources.filter((path) => !isThere(path))).toEqual([])
  expect(listPaths().filter((path) => /^tsconfig[\w.]*json$/.test(path) && !isListed(path))).toEqual([])
})
