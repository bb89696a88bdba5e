import { guilloche } from '../../../web/brand/guilloche.ts'
import type { Film } from '../drawing/film.ts'
import { sheenOf } from '../drawing/sheen.ts'
import { layers } from './rosettes.ts'

const SECONDS = 12
const CENTRE = { x: 1500, y: 540 }

const drawn = layers.map((layer) => ({
  ...layer,
  path: new Path2D(guilloche({ precision: 6, ...layer.figure })),
}))

function drawRosettes(pen: CanvasRenderingContext2D, time: number): void {
  const loop = time / SECONDS
  const sway = 9 * Math.sin(2 * Math.PI * loop)
  for (const layer of drawn) {
    const turn = (360 / layer.sectorsInCircle) * layer.sectors * loop
    pen.save()
    pen.translate(CENTRE.x, CENTRE.y)
    pen.rotate((turn * Math.PI) / 180)
    const { shade, full, polish } = layer
    pen.strokeStyle = sheenOf(pen, layer.ink, { light: 215 + sway, polish, shade, full }, turn)
    pen.lineWidth = layer.weight
    pen.stroke(layer.path)
    pen.restore()
  }
}

export const film: Film = {
  width: 1920,
  height: 1080,
  seconds: SECONDS,
  framesPerSecond: 30,
  posterAt: 0,
  scenes: [{ from: 0, to: SECONDS, draw: drawRosettes }],
}
