import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sourcesIn, textOf } from './source-files.ts'

const importedStyles = /^import (\w+) from '(\.[^']+\.module\.css)'/gm

/** The classes of a style sheet, including those of nested and combined selectors. */
const classesIn = (css: string): ReadonlySet<string> =>
  new Set(
    [...css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/\.([A-Za-z_][\w-]*)/g)].map((found) => found[1]!),
  )

test('every class that a component uses exists in its style sheet', () => {
  const unknown = sourcesIn('web').flatMap((path) =>
    [...textOf(path).matchAll(importedStyles)].flatMap(([, name, file]) => {
      const classes = classesIn(textOf(join(dirname(path), file!)))
      return [...textOf(path).matchAll(new RegExp(String.raw`\b${name}\.(\w+)`, 'g'))]
        .map((found) => found[1]!)
        .filter((used) => used !== 'module' && !classes.has(used))
        .map((used) => `${path}: ${used}`)
    }),
  )
  expect([...new Set(unknown)]).toEqual([])
})
