import { COPPER, PAPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCircle, drawLine } from '../drawing/line.ts'
import { mix, type Point, progress } from '../drawing/motion.ts'
import { drawBlock } from '../props/block.ts'
import { drawLens } from '../props/signs.ts'
import { FOUND } from './work-and-check.ts'

const BLOCKS = 42
const CENTRE = { x: 640, y: 312 }

/** Returns a point of the chain, which spirals outward. 0 is the first block, 1 the newest. */
function onSpiral(part: number): Point {
  const radius = 74 + 186 * part ** 0.8
  const angle = 2 * Math.PI * 3.1 * part ** 0.72 - 0.6
  return { x: CENTRE.x + radius * 2.05 * Math.cos(angle), y: CENTRE.y + radius * Math.sin(angle) }
}

/** From the first block's middle out to where the spiral begins. */
const FIRST_TIE = Array.from({ length: 24 }, (_, index) => {
  const part = index / 24
  const angle = -0.6 - 1.7 * (1 - part)
  return { x: CENTRE.x + 151.7 * part * Math.cos(angle), y: CENTRE.y + 74 * part * Math.sin(angle) }
})

/** A lens follows the chain from the newest block back to the first, and every block on the way is valid. */
export function anyoneCanCheck(pen: CanvasRenderingContext2D, time: number): void {
  const shown = progress(time, 0, 0.9)
  const reader = 1 - progress(time, 0.7, 4)
  const chain = [...FIRST_TIE, ...Array.from({ length: 400 }, (_, index) => onSpiral(index / 399))]
  drawLine(pen, chain, shown, { ink: QUIET, strength: 0.45, weight: 1.3 })
  for (let index = 1; index <= BLOCKS; index++) {
    const part = index / BLOCKS
    if (part > shown) continue
    const isRead = part > reader
    const ink = isRead ? VERDIGRIS : PAPER
    const side = mix(28, 44, part)
    drawBlock(pen, {
      ...onSpiral(part),
      name: `block ${index % 12}`,
      side,
      ink,
      frame: ink,
      strength: isRead ? 1 : 0.45,
    })
  }
  const first = progress(time, 3.6, 4.4)
  drawBlock(pen, { ...CENTRE, name: FOUND, side: 96, ink: COPPER, strength: mix(0.45, 1, first) })
  if (first > 0) drawCircle(pen, CENTRE, 70 + 30 * first, { ink: COPPER, strength: 1 - first, weight: 2 })
  const at = reader > 0.002 ? onSpiral(reader) : CENTRE
  const home = progress(time, 3.9, 4.4)
  drawLens(pen, { x: mix(at.x, CENTRE.x, home), y: mix(at.y, CENTRE.y, home), radius: mix(46, 78, home) })
}
