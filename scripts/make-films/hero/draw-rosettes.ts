import { guillochePoints } from '../../../web/brand/guilloche.ts'
import type { Point } from '../drawing/motion.ts'
import { sheenOf } from '../drawing/sheen.ts'
import { layers } from './rosettes.ts'

export const SECONDS = 12
const LIGHT = 215
const SWAY = 9

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
