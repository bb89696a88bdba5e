import sharp from 'sharp'
import { expect, test } from 'vitest'
import { watermark } from './watermark.ts'

const white = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer()

/** The part of the picture that is not white any more. */
async function marked(picture: Buffer, part: { left: number; top: number; width: number; height: number }) {
  const { data } = await sharp(picture).extract(part).greyscale().raw().toBuffer({ resolveWithObject: true })
  return data.filter((grey) => grey < 235).length / data.length
}

test('every quarter of a picture carries the words', async () => {
  const picture = await watermark(await white(1200, 900), 'Officer One 2026-11-21 13:40')
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 900 })
  for (const [left, top] of [
    [0, 0],
    [600, 0],
    [0, 450],
    [600, 450],
  ] as const) {
    const part = await marked(picture, { left, top, width: 600, height: 450 })
    expect(part).toBeGreaterThan(0.01)
    expect(part).toBeLessThan(0.5)
  }
})

test.each([
  [1, 1],
  [40, 30],
  [3000, 20],
  [20, 3000],
])('a picture of %i by %i keeps its size', async (width, height) => {
  const picture = await watermark(await white(width, height), '<b>A & "B"</b> 王小明')
  expect(await sharp(picture).metadata()).toMatchObject({ width, height })
})
