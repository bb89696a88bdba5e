import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { listPaths, sourcesIn, textOf } from './source-files.ts'

const readmeLinesMax = 10
const banned = /^(utils?|helpers?|common|misc|lib|shared|core|types|constants|index)$/

const barrelsOnPurpose: Record<string, string> = {}
const withoutReadme: Record<string, string> = {
  docs: 'map.md says what a README would',
}

const paths = listPaths()
const isWritten = (path: string) => /\.(tsx?|mjs|css|sql)$/.test(path)
const linesOf = (path: string) => textOf(path).trimEnd().split('\n').length

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
  const sources = ['contract', 'api', 'web', 'serve', 'scripts', 'tests'].flatMap(sourcesIn)
  const barrels = sources.filter((path) => textOf(path).match(statement) && rest(path).trim() === '')
  expect(barrels).toEqual(Object.keys(barrelsOnPurpose))
})

test('every top folder says in ten lines what belongs into it', () => {
  const folders = paths.filter((path) => /^[^/]+\/$/.test(path))
  const silent = folders.filter((path) => !paths.includes(`${path}README.md`))
  expect(silent).toEqual(Object.keys(withoutReadme).map((folder) => `${folder}/`))
  const readmes = paths.filter((path) => /^[^/]+\/README\.md$/.test(path))
  expect(readmes.filter((path) => linesOf(path) > readmeLinesMax)).toEqual([])
})
