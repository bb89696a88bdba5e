import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { consoleRoutes } from '#web/kernel/routes/console-routes.ts'
import { siteRoutes } from '#web/kernel/routes/site-routes.ts'
import { isThere, listPaths, textOf } from './source-files.ts'

/** The message file of each key. */
const fileOf = new Map(
  listPaths('content/messages/en/').flatMap((path) =>
    Object.keys(JSON.parse(textOf(path)) as object).map((key) => [key, path.split('/').at(-1)!.slice(0, -5)]),
  ),
)

/** Loaded with every page. */
const always = ['layout', 'errors', 'meta']

/** The files that a file needs when it is loaded. Those that it requests later bring their own messages. */
const importsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^(?:import|export) (?!type )[^'"]*?from '(\.[^']+)'/gm)]
    .map((match) => normalize(join(dirname(path), match[1]!)))
    .filter((file) => /\.tsx?$/.test(file) && isThere(file))

function closureOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const file of importsOf(path)) closureOf(file, seen)
  return seen
}

/** The keys that a file names outside of comments, or the first key that a template of the file begins. */
const keysIn = (path: string): string[] =>
  [
    ...textOf(path)
      .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
      .matchAll(/['"`]([a-z]\w*\.[\w.-]*)(['"`]|\$\{)/gi),
  ].flatMap(([, text = '', end]) =>
    end === '${' ? [...fileOf.keys()].filter((key) => key.startsWith(text)).slice(0, 1) : [text],
  )

test('every page loads the message files that its parts need', () => {
  const missing = [...siteRoutes, ...consoleRoutes].flatMap(({ name, file, words }) =>
    [...closureOf(`web/${file}`)].flatMap((part) =>
      keysIn(part)
        .map((key) => fileOf.get(key))
        .filter((needed) => needed && ![...always, ...(words as readonly string[])].includes(needed))
        .map((needed) => `${name}: ${needed} for ${part}`),
    ),
  )
  expect([...new Set(missing)]).toEqual([])
})
