import { expect, test } from 'vitest'
import colours from '#content/colours.json'
import { paletteCss } from '#web/kernel/layout/palette-css.ts'
import { listPaths, textOf } from './source-files.ts'

const styles = listPaths('web/').filter((path) => path.endsWith('.css'))
const scripts = listPaths('web/').filter((path) => /(?<!\.test)\.tsx?$/.test(path))

const declaredIn = (css: string): string[] =>
  [...css.matchAll(/(?<=[\s;{}/])(--[\w-]+)\s*:/g)].map(([, name = '']) => name)
const usedIn = (text: string): string[] =>
  [...text.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name = '']) => name)

test('each custom property that the pages use is declared: a browser leaves out what is not, without a word', () => {
  const declared = new Set([paletteCss(colours), ...styles.map(textOf)].flatMap(declaredIn))
  const strays = [...styles, ...scripts].flatMap((path) =>
    usedIn(textOf(path))
      .filter((name) => !declared.has(name))
      .map((name) => `${path}: ${name}`),
  )
  expect(strays).toEqual([])
})

test('a use is told from a declaration', () => {
  const css = ':root{--ground:red;--text:var( --ground )}.a{color:var(--mono, var(--text))}'
  expect([declaredIn(css), usedIn(css)]).toEqual([
    ['--ground', '--text'],
    ['--ground', '--mono', '--text'],
  ])
})
