import { expect, test } from 'vitest'
import { importsOf, listPaths, sourcesIn } from './source-files.ts'

/** `importer -> imported`, each with its reason. */
const checksums = 'both sides verify the checksums of addresses; it is loaded where addresses are asked for'
const openings: Record<string, string> = {
  'contract/platform/languages.ts -> content/languages.json':
    'which languages there are is data of the project',
  'contract/platform/chain-address.ts -> @noble/hashes/sha2.js': checksums,
  'contract/platform/chain-address.ts -> @noble/hashes/sha3.js': checksums,
  'contract/platform/chain-address.ts -> @noble/hashes/utils.js': checksums,
  'contract/platform/chain-address.ts -> @scure/base': checksums,
}

const sides = ['contract', 'api', 'demo', 'web', 'serve', 'content', 'scripts', 'tests']

/** The sides that each side can import, other than itself. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  api: ['contract', 'content'],
  demo: ['contract', 'api', 'content'],
  web: ['contract', 'content'],
  serve: ['contract', 'web', 'content'],
}

/** Returns every import in the folder for which `isRight` is false, as `importer -> imported`. */
const wrongIn = (folder: string, isRight: (imported: string, importer: string) => boolean): string[] =>
  sourcesIn(folder).flatMap((importer) =>
    importsOf(importer)
      .filter((imported) => !isRight(imported, importer))
      .map((imported) => `${importer} -> ${imported}`),
  )

const expectOnlyOpenings = (wrong: string[]) =>
  expect(wrong.filter((each) => !(each in openings))).toEqual([])

const sideOf = (path: string) => sides.find((side) => path.startsWith(`${side}/`))

test.each(Object.keys(allowed))('%s imports only the sides that it may', (side) => {
  const may = [side, ...allowed[side]!]
  expect(sourcesIn(side).flatMap(importsOf).length).toBeGreaterThan(0)
  expectOnlyOpenings(wrongIn(side, (imported) => may.includes(sideOf(imported) ?? side)))
})

test('the contract imports zod and nothing else', () => {
  expectOnlyOpenings(
    wrongIn('contract', (imported) => imported === 'zod/mini' || imported.startsWith('contract/')),
  )
})

test('what runs in a browser imports nothing of Node, but for what renders on the server', () => {
  expectOnlyOpenings(wrongIn('web', (imported) => !imported.startsWith('node:')))
})

test('parts of the interface import React, styles and one another', () => {
  const isPart = (imported: string) =>
    imported.startsWith('web/kernel/ui/') || /^react(-dom)?$/.test(imported)
  expectOnlyOpenings(wrongIn('web/kernel/ui', isPart))
})

test('features of the site do not import one another', () => {
  const pages = listPaths('web/').filter((path) => path.endsWith('-page.tsx'))
  const features = new Set(pages.map((path) => path.split('/')[1]!))
  expect(features.size).toBeGreaterThan(3)
  // The console is above the features: it uses all of them, and none of them knows it.
  const wrong = [...features]
    .filter((feature) => feature !== 'console')
    .flatMap((feature) =>
      wrongIn(`web/${feature}`, (imported) => {
        const [side, other = ''] = imported.split('/')
        return side !== 'web' || other === feature || !features.has(other)
      }),
    )
  expectOnlyOpenings(wrong)
})

test('content is data, not code', () => {
  expect(listPaths('content/').filter((path) => /\.[cm]?[jt]sx?$/.test(path))).toEqual([])
})

test('no opening is left that nothing needs', () => {
  const imports = ['contract', 'api', 'demo', 'web', 'serve'].flatMap((side) => wrongIn(side, () => false))
  expect(Object.keys(openings).filter((opening) => !imports.includes(opening))).toEqual([])
})
