import { type Guilloche, guillochePoints } from '../../../web/kernel/brand/guilloche.ts'
import { COPPER, type Ink, PAPER, VERDIGRIS } from '../drawing/ink.ts'
import type { Point } from '../drawing/motion.ts'
import { sheenOf } from '../drawing/sheen.ts'

export const SECONDS = 12
const LIGHT = 215
const SWAY = 9

type Layer = {
  figure: Guilloche
  ink: Ink
  weight: number
  shade: number
  full: number
  polish: number
  /** Number of sectors turned in one loop, a whole number so that the loop closes. */
  sectors: number
  sectorsInCircle: number
}

/** From the outermost, faint field to the core. Radii in pixels of the 1920 x 1080 picture. */
const layers: Layer[] = [
  {
    figure: { inner: 582, outer: 806, lobes: 288, turns: 25, wave: 36, outerDepth: 40, innerDepth: 26 },
    ink: VERDIGRIS,
    weight: 0.9,
    shade: 0.07,
    full: 0.26,
    polish: 1.6,
    sectors: 0,
    sectorsInCircle: 36,
  },
  {
    figure: { inner: 560, outer: 575, lobes: 144 },
    ink: PAPER,
    weight: 1,
    shade: 0.1,
    full: 0.6,
    polish: 2,
    sectors: 1,
    sectorsInCircle: 144,
  },
  {
    figure: { inner: 560, outer: 575, lobes: 144, phase: 180 },
    ink: PAPER,
    weight: 1,
    shade: 0.1,
    full: 0.6,
    polish: 2,
    sectors: -1,
    sectorsInCircle: 144,
  },
  {
    figure: { inner: 396, outer: 552, lobes: 384, turns: 31, wave: 24, outerDepth: 46, innerDepth: 30 },
    ink: COPPER,
    weight: 0.9,
    shade: 0.16,
    full: 0.85,
    polish: 1.6,
    sectors: -1,
    sectorsInCircle: 24,
  },
  {
    figure: { inner: 372, outer: 392, lobes: 24, rings: 36, step: 7, twist: 2.5 },
    ink: VERDIGRIS,
    weight: 1,
    shade: 0.16,
    full: 0.9,
    polish: 1.4,
    sectors: 1,
    sectorsInCircle: 24,
  },
  {
    figure: { inner: 84, outer: 136, lobes: 144, turns: 13, wave: 18, outerDepth: 20, innerDepth: 10 },
    ink: PAPER,
    weight: 0.9,
    shade: 0.18,
    full: 0.85,
    polish: 1.5,
    sectors: -1,
    sectorsInCircle: 18,
  },
  {
    figure: { inner: 12, outer: 80, lobes: 48, turns: 17, wave: 12, outerDepth: 22 },
    ink: COPPER,
    weight: 1,
    shade: 0.35,
    full: 1,
    polish: 1.5,
    sectors: 1,
    sectorsInCircle: 12,
  },
]

// Uses unrounded points, so that a rotated figure coincides with itself exactly and the loop closes without a jump.
const drawn = layers.map((layer) => {
  const path = new Path2D()
  for (const ring of guillochePoints(layer.figure, 40)) {
    path.moveTo(ring[0]!, ring[1]!)
    for (let index = 2; index < ring.length; index += 2) path.lineTo(ring[index]!, ring[index + 1]!)
    path.closePath()
  }
  return { ...layer, path }
})

/**
 * During one loop, every ring turns by a whole number of its sectors and the light swings once, so that the end meets
 * the beginning.
 */
export function drawRosettes(
  pen: CanvasRenderingContext2D,
  time: number,
  place: Point & { scale: number },
): void {
  const loop = time / SECONDS
  const light = LIGHT + SWAY * Math.sin(2 * Math.PI * loop)
  for (const { ink, polish, shade, full, sectors, sectorsInCircle, weight, path } of drawn) {
    const turn = (360 / sectorsInCircle) * sectors * loop
    pen.save()
    pen.translate(place.x, place.y)
    pen.scale(place.scale, place.scale)
    pen.rotate((turn * Math.PI) / 180)
    pen.strokeStyle = sheenOf(pen, ink, { light, polish, shade, full }, turn)
    pen.lineWidth = weight
    pen.stroke(path)
    pen.restore()
  }
}
