import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compactOf, slugOf, type Named } from './rename-words.ts'

const skipped = /(^|\/)(node_modules|\.git|\.cache|dist|data)(\/|$)/
const isText = (path: string): boolean =>
  /\.(ts|tsx|mjs|json|md|css|html|vtt|svg|sql|txt|ya?ml|xml|conf|service)$/.test(path) &&
  !path.endsWith('package-lock.json')

export function textFilesIn(root: string, folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (skipped.test(relative(root, path))) return []
    if (entry.isDirectory()) return textFilesIn(root, path)
    return entry.isFile() && isText(path) ? [path] : []
  })
}

/**
 * Belongs to a fictional project in the tests, whose name contains look-alike letters, regardless of who owns this
 * tree.
 */
const ofTests = new Set([
  'tests/official-cases.ts',
  'api/publishing/official/classify/classify-pasted.test.ts',
])

/**
 * Finds every line of the tree that still contains a name of the other project, unless this project has the same name.
 */
export function findLeftovers(root: string, from: Named, to: Named): string[] {
  const now = [to.name, compactOf(to.name), slugOf(to.name), to.ticker, to.prefix, to.domain].join('\n')
  const words = [from.name, compactOf(from.name), slugOf(from.name), from.domain].filter(
    (word) => !now.includes(word),
  )
  const beginnings = [from.prefix, ...from.testPrefixes].map((prefix) => new RegExp(String.raw`\b${prefix}1`))
  const patterns = [
    ...(to.ticker === from.ticker ? [] : [new RegExp(`(?<![A-Za-z0-9])${from.ticker}(?![A-Za-z0-9])`)]),
    ...(to.prefix === from.prefix ? [] : beginnings),
  ]
  const paths = textFilesIn(root).filter((path) => !ofTests.has(relative(root, path)))
  return paths.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, at) => {
        const isLeft =
          words.some((word) => line.includes(word)) || patterns.some((pattern) => pattern.test(line))
        return isLeft ? [`${relative(root, path)}:${at + 1}`] : []
      }),
  )
}
