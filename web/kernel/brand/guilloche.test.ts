import { describe, expect, test } from 'vitest'
import { type Guilloche, guilloche, guillochePoints, randomNumbersFrom, rosetteFor } from './guilloche.ts'

const woven: Guilloche = {
  inner: 40,
  outer: 96,
  lobes: 60,
  turns: 7,
  wave: 12,
  outerDepth: 14,
  innerDepth: 6,
}
const dial: Guilloche = { inner: 80, outer: 95, lobes: 12, rings: 5, step: 9, twist: 4 }
const names = Array.from({ length: 500 }, (_, index) => `Sample ${index}`)

/** Follows the pen through M, c, s, and z, and returns where each ring starts and where its last piece ends. */
function trace(path: string): { start: number[]; end: number[]; pieces: number }[] {
  return path
    .split('M')
    .slice(1)
    .map((ring) => {
      const [from = '', opening = '', smooth = ''] = ring.replace('z', '').split(/[cs]/)
      const numbers = (text: string) => (text.match(/-?(\d+\.?\d*|\.\d+)/g) ?? []).map(Number)
      const start = numbers(from)
      const end = [...start]
      const pieces = [numbers(opening).slice(-4), ...chunks(numbers(smooth))]
      for (const piece of pieces) for (const axis of [0, 1]) end[axis]! += piece[axis + 2]!
      return { start, end, pieces: pieces.length }
    })
}

function chunks(numbers: number[]): number[][] {
  return Array.from({ length: numbers.length / 4 }, (_, index) => numbers.slice(index * 4, index * 4 + 4))
}

function greatestDivisor(a: number, b: number): number {
  return b ? greatestDivisor(b, a % b) : a
}

describe('a guilloche path', () => {
  test.each([woven, dial])('closes every ring exactly where it started', (figure) => {
    for (const { start, end } of trace(guilloche(figure))) {
      expect(end[0]).toBeCloseTo(start[0]!, 6)
      expect(end[1]).toBeCloseTo(start[1]!, 6)
    }
  })

  test('has one ring per repetition and `precision` pieces per lobe', () => {
    const rings = trace(guilloche({ ...dial, precision: 6 }))
    expect(rings.map((ring) => ring.pieces)).toEqual([72, 72, 72, 72, 72])
  })

  test('is plain path data in tenths', () => {
    expect(guilloche(woven)).toMatch(/^(M[\d. -]+c[\d. -]+s[\d. -]+z)+$/)
    expect(guilloche(woven)).not.toMatch(/\.\d\d/)
  })

  test('keeps a step of ten units', () => {
    const square = guilloche({ inner: 10.3, outer: 10.3, lobes: 4, precision: 1 })
    expect(trace(square)[0]).toEqual({ start: [10.3, 0], end: [10.3, 0], pieces: 4 })
  })

  test('is deterministic', () => {
    expect(guilloche({ ...woven })).toBe(guilloche(woven))
    expect(guilloche({ inner: 5, outer: 10, lobes: 3, precision: 1 })).toMatchInlineSnapshot(
      `"M10 0c0 7-9 12.2-15 8.7s-6-13.9 0-17.4 15 1.7 15 8.7z"`,
    )
  })
})

describe('the points of a figure', () => {
  test('stay between its edges and touch both', () => {
    const [ring = []] = guillochePoints(woven)
    const radii = chunksOfTwo(ring).map(([x, y]) => Math.hypot(x, y))
    expect(Math.max(...radii)).toBeCloseTo(96)
    expect(Math.min(...radii)).toBeGreaterThanOrEqual(40 - 1e-9)
  })

  test('map onto themselves when the figure is turned by one sector', () => {
    const [ring = []] = guillochePoints(woven)
    const points = chunksOfTwo(ring)
    const sector = (2 * Math.PI) / 12
    for (const [x, y] of points.slice(0, 200)) {
      const turned = [
        x * Math.cos(sector) - y * Math.sin(sector),
        x * Math.sin(sector) + y * Math.cos(sector),
      ]
      const nearest = Math.min(...points.map(([px, py]) => Math.hypot(px - turned[0]!, py - turned[1]!)))
      expect(nearest).toBeLessThan(1e-9)
    }
  })

  test('have the requested number', () => {
    expect(guillochePoints(dial, 10).map((ring) => ring.length)).toEqual([240, 240, 240, 240, 240])
  })
})

describe('the rosette of a name', () => {
  test('is unique and stable', () => {
    expect(rosetteFor('Sample 1')).toEqual(rosetteFor('Sample 1'))
    expect(new Set(names.map((name) => JSON.stringify(rosetteFor(name)))).size).toBeGreaterThan(495)
  })

  test('is one closed line per band: lobes and turns share no divisor', () => {
    for (const figure of names.flatMap(rosetteFor)) {
      expect(greatestDivisor(figure.lobes, figure.turns!)).toBe(1)
      expect(figure.outer).toBeGreaterThan(figure.inner)
    }
  })

  test('is at most 5 kB', () => {
    for (const name of names) expect(rosetteFor(name).map(guilloche).join('').length).toBeLessThan(5000)
  })
})

test('seeded numbers use the whole range and differ by seed', () => {
  const pick = randomNumbersFrom('a')
  expect(new Set(Array.from({ length: 200 }, () => pick(8)))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]))
  expect(randomNumbersFrom('a')(2 ** 32)).not.toBe(randomNumbersFrom('b')(2 ** 32))
})

function chunksOfTwo(flat: number[]): [number, number][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2]!, flat[index * 2 + 1]!])
}
