import { expect, test } from 'vitest'
import { findCommand } from '../../scripts/coin/commands.ts'
import { isThere, listPaths, textOf } from './source-files.ts'

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }

/**
 * Documents contain commands in backquotes and code blocks. Code mentions them in comments and in messages to
 * operators.
 */
const isRead = (path: string) =>
  /^[^/]+\.md$|^(api|bench|content|contract|docs|scripts|serve|tests|web)\/.*\.md$/.test(path) ||
  /^(api|scripts|serve)\/.*\.ts$/.test(path)

const documented = listPaths()
  .filter((path) => isRead(path) && !path.startsWith('content/documents/'))
  .flatMap((path) =>
    Array.from(textOf(path).matchAll(/\bnpm run ([\w:-]+)|\bnpm (start|test)\b/g), ([, named, short]) => ({
      path,
      script: named ?? short!,
    })),
  )

test('every npm script that is documented exists', () => {
  expect(documented.length).toBeGreaterThan(20)
  const missing = documented.filter(({ script }) => !(script in scripts))
  expect(missing.map(({ path, script }) => `${path}: npm run ${script}`)).toEqual([])
})

test('every command of a server that is documented exists', () => {
  const inBlock = /^ *(?:.*root +|[A-Z_]+=\S+ )*(?:\/usr\/local\/bin\/)?coin ([a-z][a-z-]*)/gm
  const called = listPaths()
    .filter((path) => /^docs\/.*\.md$|^[^/]+\.md$/.test(path))
    .flatMap((path) => {
      const text = textOf(path)
      const blocks = text.split('```').filter((_, at) => at % 2 === 1)
      const found = [...text.matchAll(/`coin ([a-z][a-z-]*)/g), ...blocks.join('\n').matchAll(inBlock)]
      return found.map(([, name]) => ({ path, name: name! }))
    })
    .filter(({ name }) => name !== 'help')
  expect(called.length).toBeGreaterThan(30)
  const missing = called.filter(({ name }) => !findCommand(name))
  expect(missing.map(({ path, name }) => `${path}: coin ${name}`)).toEqual([])
})

test('every command that a message names exists', () => {
  const named = listPaths()
    .filter((path) => /^(api|scripts|serve)\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      Array.from(textOf(path).matchAll(/\bcommandLine\(\s*'([\w:-]+)'/g), ([, name]) => name!),
    )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !(name in scripts) || !findCommand(name.replace(':', '-')))).toEqual([])
})

test('every npm script runs something that is there', () => {
  const started = Object.entries(scripts).flatMap(([name, command]) =>
    Array.from(command.matchAll(/node scripts\/run\.mjs (\S+)/g), ([, file]) => ({ name, file: file! })),
  )
  expect(started.length).toBeGreaterThan(10)
  const missing = started.filter(({ file }) => !isThere(`scripts/${file}.ts`))
  expect(missing.map(({ name, file }) => `${name}: ${file}`)).toEqual([])
})

test('every npm script begins on Node 20: TypeScript is started by run.mjs alone', () => {
  const direct = Object.entries(scripts).filter(([, command]) =>
    /\bnode (?!scripts\/run\.mjs\b)/.test(command),
  )
  expect(direct).toEqual([])
})

test('what every npm script begins with can be read by an older Node, which is then told that it is too old', () => {
  const begin = textOf('scripts/run.mjs').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  expect(begin).toContain('which is too old')
  expect(begin).not.toMatch(/'node:|\?\?|\?\.|\|\|=|\bawait\b/)
})

test('nobody is told to start TypeScript with node, which an older Node cannot', () => {
  const told = listPaths()
    .filter(isRead)
    .filter((path) =>
      /`node [^`]*\.ts\b|^\s*node \S+\.ts\b|`(scripts\/)?[\w-]+\.ts [^`]+`/m.test(textOf(path)),
    )
  expect(told).toEqual([])
})

test('every measurement has its npm script', () => {
  const benches = listPaths('bench/').filter((path) => /^bench\/[^/]+\.ts$/.test(path))
  const names = benches.map((path) => path.replace(/^bench\/(.*)\.ts$/, '$1'))
  for (const name of names) expect(scripts[`bench:${name}`]).toBe(`node scripts/run.mjs ../bench/${name}`)
})
