import { expect, test } from 'vitest'
import { importsOf, sourcesIn } from './source-files.ts'

/**
 * The folders of each side form layers: a folder imports only from those below it, and higher layers pass in what a
 * lower one needs. Every import counts: values, types, re-exports, and dynamic ones. Files next to folders are layers
 * of their own.
 */
const sides = ['api', 'web']

/** Returns, for each folder, its subfolders and files, and what each of them imports from the others. */
function importsByFolder(side: string): Map<string, Map<string, Set<string>>> {
  const folders = new Map<string, Map<string, Set<string>>>()
  for (const importer of sourcesIn(side))
    for (const imported of importsOf(importer)) {
      const from = importer.split('/')
      const to = imported.split('/')
      const depth = from.findIndex((part, at) => part !== to[at])
      if (depth < 1) continue
      const folder = from.slice(0, depth).join('/')
      const graph = folders.get(folder) ?? new Map<string, Set<string>>()
      folders.set(folder, graph)
      graph.set(from[depth]!, (graph.get(from[depth]!) ?? new Set()).add(to[depth]!))
    }
  return folders
}

/** Returns every path from a folder through others back to itself, each reported once. */
function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const follow = (folder: string, way: readonly string[]): void => {
    if (way.includes(folder)) circles.push([...way.slice(way.indexOf(folder)), folder].join(' -> '))
    if (done.has(folder) || way.includes(folder)) return
    for (const below of graph.get(folder) ?? []) follow(below, [...way, folder])
    done.add(folder)
  }
  for (const folder of graph.keys()) follow(folder, [])
  return circles
}

/** The wings of the API and the contract, from the lowest to the highest. */
const wings = ['platform', 'people', 'money', 'publishing', 'integrations']

/** Imports that still point up, for one reason: the contract declares what each error says in one type. */
const pointingUp = [
  'contract/platform/errors.ts -> contract/people/account-recovery.ts',
  'contract/platform/errors.ts -> contract/people/webauthn.ts',
  'contract/platform/errors.ts -> contract/publishing/content-rules.ts',
]

/** Returns the height of a path's wing. What belongs to no wing knows all of them, so it is above them. */
function heightOf(path: string): number {
  const at = wings.indexOf(path.split('/')[1]!)
  return at === -1 ? wings.length : at
}

const importsUpIn = (side: string): string[] =>
  sourcesIn(side).flatMap((importer) =>
    importsOf(importer)
      .filter((imported) => imported.startsWith(`${side}/`) && heightOf(imported) > heightOf(importer))
      .map((imported) => `${importer} -> ${imported}`),
  )

test('a wing imports only itself and the wings below it', () => {
  const upward = ['api', 'contract'].flatMap(importsUpIn)
  expect(upward.filter((each) => !pointingUp.includes(each))).toEqual([])
  expect(pointingUp.filter((each) => !upward.includes(each))).toEqual([])
})

test('every wing is there', () => {
  const folders = ['api', 'contract'].flatMap((side) => wings.map((wing) => `${side}/${wing}`))
  expect(folders.filter((folder) => sourcesIn(folder).length === 0)).toEqual([])
})

test.each(sides)('no folder of %s imports one that imports it', (side) => {
  const graph = importsByFolder(side).get(side)!
  expect(graph.size).toBeGreaterThan(3)
  expect(circlesIn(graph)).toEqual([])
})

test.each(wings)('no folder of api/%s imports one that imports it', (wing) => {
  const graph = importsByFolder('api').get(`api/${wing}`) ?? new Map<string, Set<string>>()
  expect(circlesIn(graph)).toEqual([])
})

const isFolder = (name: string): boolean => !name.includes('.')

test('no nested folder of web imports what imports it', () => {
  const circles = [...importsByFolder('web')].flatMap(([folder, graph]) =>
    circlesIn(graph)
      .filter((circle) => circle.split(' -> ').some(isFolder))
      .map((circle) => `${folder}: ${circle}`),
  )
  expect(circles).toEqual([])
})

test('a circle is found, however long it is', () => {
  const graph = new Map([
    ['a', new Set(['b', 'd'])],
    ['b', new Set(['c'])],
    ['c', new Set(['a'])],
    ['d', new Set<string>()],
  ])
  expect(circlesIn(graph)).toEqual(['a -> b -> c -> a'])
})
