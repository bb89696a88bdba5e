import { type Guilloche, guilloche, guillochePoints } from '../../../web/kernel/brand/guilloche.ts'
import { type Ink, PAPER, tint, translucent } from './ink.ts'
import { type Sheen, sheenOf } from './sheen.ts'
import type { Point } from './motion.ts'

type Engraving = Point & {
  /** Size as a multiple of the figure's own. */
  scale?: number
  turn?: number
  ink: Ink
  strength?: number
  weight?: number
  /** The fraction of the line that has been cut, from 0 to 1. While it is being cut, the tip of the burin glows. */
  part?: number
}

const paths = new WeakMap<Guilloche, Path2D>()
/**
 * Makes the figure as precise as the points that are drawn while it is being cut, so that nothing jumps when it is
 * complete.
 */
function finely(figure: Guilloche): Guilloche {
  const { lobes, turns = 1, wave = 0 } = figure
  return { ...figure, precision: 6 * Math.ceil(Math.max(1, (wave * turns) / lobes)) }
}

function metal(strength: number): Sheen {
  return { light: 215, polish: 1.4, shade: 0.5 * strength, full: strength }
}

const rings = new WeakMap<Guilloche, number[][]>()

function remembered<Key extends object, Value>(
  memory: WeakMap<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const known = memory.get(key)
  if (known !== undefined) return known
  const made = make()
  memory.set(key, made)
  return made
}

/**
 * Draws a figure, or the part of it that has been cut so far. Pass the same figure object in each frame, because its
 * path is cached.
 */
export function engrave(pen: CanvasRenderingContext2D, figure: Guilloche, engraving: Engraving): void {
  const { x, y, scale = 1, turn = 0, ink, strength = 1, weight = 1.3, part = 1 } = engraving
  if (part <= 0 || scale <= 0) return
  pen.save()
  pen.translate(x, y)
  pen.rotate((turn * Math.PI) / 180)
  pen.scale(scale, scale)
  // Large figures have a sheen like the hero's. On small ones it would look uneven.
  const isLarge = figure.outer * scale > 55
  pen.strokeStyle = isLarge ? sheenOf(pen, ink, metal(strength), turn) : tint(ink, strength)
  pen.lineWidth = weight / scale
  pen.lineJoin = 'round'
  if (part > 0.999) {
    pen.stroke(remembered(paths, figure, () => new Path2D(guilloche(finely(figure)))))
  } else {
    for (const ring of remembered(rings, figure, () => guillochePoints(figure, 24)))
      cut(pen, ring, part, scale)
  }
  pen.restore()
}

function cut(pen: CanvasRenderingContext2D, ring: number[], part: number, scale: number): void {
  const last = 2 * Math.max(1, Math.floor((part * ring.length) / 2))
  pen.beginPath()
  for (let index = 0; index < last; index += 2) pen.lineTo(ring[index]!, ring[index + 1]!)
  pen.stroke()
  const tip = { x: ring[last - 2]!, y: ring[last - 1]! }
  const glow = Math.min(1, scale * 1.6)
  for (const [radius, alpha] of [
    [10, 0.12],
    [5.5, 0.25],
    [2.4, 1],
  ] as const) {
    pen.beginPath()
    pen.arc(tip.x, tip.y, (radius * glow) / scale, 0, 2 * Math.PI)
    pen.fillStyle = translucent(PAPER, alpha)
    pen.fill()
  }
}
