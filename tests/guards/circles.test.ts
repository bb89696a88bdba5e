import { expect, test } from 'vitest'
import { importsOf, sourcesIn } from './source-files.ts'

/**
 * The folders of a side stand in layers: whoever reads one folder reads only those below it. What a lower one needs of
 * a higher one is handed in. Every import counts: of values, of types, exported again, or loaded later.
 */
const sides = ['api', 'web']

/** A folder of the side, or one of the few files beside them, which stands for itself. */
function folderOf(path: string): string {
  const [side = '', name = ''] = path.split('/')
  return `${side}/${name}`
}

function foldersBelow(side: string): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const importer of sourcesIn(side)) {
    const below = graph.get(folderOf(importer)) ?? new Set()
    graph.set(folderOf(importer), below)
    for (const imported of importsOf(importer))
      if (imported.startsWith(`${side}/`) && folderOf(imported) !== folderOf(importer))
        below.add(folderOf(imported))
  }
  return graph
}

/** Every way that leads from a folder over others back to itself, each told once. */
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

test.each(sides)('no folder of %s imports one that imports it', (side) => {
  const graph = foldersBelow(side)
  expect(graph.size).toBeGreaterThan(3)
  expect(circlesIn(graph)).toEqual([])
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
