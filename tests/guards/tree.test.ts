import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { listPaths, sourcesIn, textOf } from './source-files.ts'

const banned = /^(utils?|helpers?|common|misc|lib|shared|core|types|constants|index)$/

const barrelsOnPurpose: Record<string, string> = {}

const paths = listPaths()
const isWritten = (path: string) => /\.(tsx?|mjs|css|sql)$/.test(path)

test('folders and files are named for a thing', () => {
  const named = paths.filter((path) => path.endsWith('/') || isWritten(path))
  expect(named.filter((path) => banned.test(basename(path).split('.')[0]!))).toEqual([])
})

test('code is named in kebab-case', () => {
  const isKebab = (path: string) => /^[a-z\d]+(-[a-z\d]+)*(\.[a-z\d-]+)+$/.test(basename(path))
  expect(paths.filter((path) => isWritten(path) && !isKebab(path))).toEqual([])
})

test('no file only hands on what others export', () => {
  const statement = /^export (type )?(\*|\{[^}]*\})( as \w+)? from .*$/gm
  const rest = (path: string) =>
    textOf(path)
      .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      .replaceAll(statement, '')
  const sources = ['contract', 'api', 'demo', 'web', 'serve', 'scripts', 'tests'].flatMap(sourcesIn)
  const barrels = sources.filter((path) => textOf(path).match(statement) && rest(path).trim() === '')
  expect(barrels).toEqual(Object.keys(barrelsOnPurpose))
})

test('every top-level folder has a README', () => {
  const folders = paths.filter((path) => /^[^/]+\/$/.test(path))
  expect(folders.length).toBeGreaterThan(8)
  expect(folders.filter((path) => !paths.includes(`${path}README.md`))).toEqual([])
})
