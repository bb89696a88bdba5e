import { expect, test } from 'vitest'
import {
  fullWidth,
  isWhole,
  larger,
  move,
  resized,
  type Sizes,
  smaller,
  turn,
  whole,
  zoom,
} from './photo-stage.tsx'

const sizes: Sizes = { stage: { width: 400, height: 300 }, picture: { width: 1600, height: 800 } }
const start = whole(sizes)

test('a picture is shown whole at first, and never smaller', () => {
  expect(start).toEqual({ scale: 0.25, x: 0, y: 0, quarters: 0 })
  expect(smaller(sizes, start)).toEqual(start)
  expect(isWhole(sizes, larger(sizes, start))).toBe(false)
  expect(smaller(sizes, larger(sizes, start)).scale).toBeCloseTo(0.25)
})

test('it can be enlarged twelve times', () => {
  let view = start
  for (let n = 0; n < 40; n += 1) view = larger(sizes, view)
  expect(view.scale).toBeCloseTo(3)
})

test('the point under the pointer stays in place while zooming', () => {
  const view = zoom(sizes, start, 4, { x: 100, y: 0 })
  // The point was 100 px right of the center at scale 0.25, which is 400 picture pixels.
  expect(view.x + 400 * view.scale).toBeCloseTo(100)
})

test("it can't be moved past its edge, or at all if it is fully visible", () => {
  expect(move(sizes, start, { x: 50, y: 50 })).toEqual(start)
  const view = zoom(sizes, start, 2)
  expect(move(sizes, view, { x: 9999, y: -9999 })).toMatchObject({ x: 200, y: -50 })
})

test('a quarter turn shows all of it again, and four are none', () => {
  const once = turn(sizes, start)
  expect(once).toEqual({ scale: 300 / 1600, x: 0, y: 0, quarters: 1 })
  expect(turn(sizes, turn(sizes, turn(sizes, once)))).toEqual(start)
})

test('a magnified picture turns around its visible center', () => {
  const view = move(sizes, zoom(sizes, start, 4), { x: 120, y: 40 })
  expect(turn(sizes, view)).toMatchObject({ scale: view.scale, x: -40, y: 120 })
})

test('full width starts at the top, in either direction', () => {
  const upright = turn(sizes, start)
  expect(fullWidth(sizes, upright)).toEqual({ scale: 0.5, x: 0, y: 250, quarters: 1 })
  expect(fullWidth(sizes, start)).toEqual(start)
})

test('after a resize, a whole picture is whole again, and a magnified one stays magnified', () => {
  const narrow: Sizes = { ...sizes, stage: { width: 200, height: 300 } }
  expect(resized(sizes, narrow, start)).toEqual(whole(narrow))
  expect(resized(narrow, sizes, whole(narrow))).toEqual(start)
  const magnified = zoom(sizes, start, 4)
  expect(resized(sizes, narrow, magnified).scale).toBe(magnified.scale)
})
