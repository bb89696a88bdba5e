import { describe, expect, test } from 'vitest'
import { drawing } from './synergy-drawing.ts'
import { layOutSynergy } from './synergy-layout.ts'

const nodes = ['core', 'a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
const centre = { x: drawing.width / 2, y: drawing.height / 2 }
const numbersOf = (path: string) => path.match(/-?[\d.]+/g)!.map(Number)
const startOf = (path: string) => numbersOf(path).slice(0, 2) as [number, number]
const endOf = (path: string) => numbersOf(path).slice(-2) as [number, number]
const edge = (from: string, to: string) => layOutSynergy(nodes, [{ from, to }]).edges[0]!

describe('the synergy drawing', () => {
  test('puts the first node in the center and the others on the rim, clockwise from the left', () => {
    const [core, ...rim] = layOutSynergy(nodes, []).nodes
    expect(core).toMatchObject(centre)
    for (const { x, y } of rim) expect(Math.hypot(x - centre.x, y - centre.y)).toBeCloseTo(drawing.rim, 0)
    expect(rim[0]).toMatchObject({ y: centre.y, anchor: 'end' })
    expect(rim[1]!.y).toBeLessThan(centre.y)
  })

  test.each([
    ['a', 'core', 'spoke'],
    ['core', 'c', 'spoke'],
    ['a', 'b', 'arc'],
    ['a', 'e', 'arc'],
    ['a', 'c', 'bow'],
  ])('draws %s to %s as a %s', (from, to, kind) => {
    expect(edge(from, to).kind).toBe(kind)
  })

  test('draws every line from its first node to its second', () => {
    const placed = layOutSynergy(nodes, []).nodes
    const far = (id: string, [x, y]: [number, number]) => {
      const node = placed.find((each) => each.id === id)!
      return Math.hypot(x - node.x, y - node.y)
    }
    for (const { id: from } of nodes)
      for (const { id: to } of nodes) {
        if (from === to) continue
        const { line } = edge(from, to)
        expect(far(from, startOf(line)), `${from} to ${to}`).toBeLessThan(far(to, startOf(line)))
        expect(far(to, endOf(line)), `${from} to ${to}`).toBeLessThan(far(from, endOf(line)))
      }
  })

  test('draws every label from left to right', () => {
    for (const { id: from } of nodes)
      for (const { id: to } of nodes) {
        if (from === to) continue
        const { line, labelLine } = edge(from, to)
        const read = labelLine ?? line
        expect(startOf(read)[0], `${from} to ${to}`).toBeLessThanOrEqual(endOf(read)[0] + 0.1)
      }
  })

  test('separates the two lines of a pair', () => {
    const [there, back] = layOutSynergy(nodes, [
      { from: 'b', to: 'core' },
      { from: 'core', to: 'b' },
    ]).edges
    const [x, y] = startOf(there!.line)
    const [otherX, otherY] = endOf(back!.line)
    expect(Math.hypot(x - otherX, y - otherY)).toBeGreaterThan(10)
    expect(there!.isLabelBelow).not.toBe(back!.isLabelBelow)
  })
})
