import type { Guilloche } from '../../../web/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { COPPER, GROUND, PAPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCircle, drawLine, fillDisc } from '../drawing/line.ts'
import { between, mix, type Point, progress } from '../drawing/motion.ts'
import { nodeFace } from '../props/figures.ts'
import { drawBlock } from '../props/block.ts'

const BLOCKS = 20
const PITCH = 92
const CHECKPOINT = { x: 1090, y: 440 }
const VALIDATORS = [-4, -3, -2, -1, 0].map((index) => ({ x: CHECKPOINT.x + index * 104, y: 110 }))

/** The chain runs left along an upper row and comes back along a lower one. */
const PLACES: Point[] = Array.from({ length: BLOCKS }, (_, index) =>
  index < 10 ? { x: 948 - index * PITCH, y: 300 } : { x: 120 + (index - 10) * PITCH, y: CHECKPOINT.y },
)

const signet: Guilloche = {
  inner: 46,
  outer: 99,
  lobes: 60,
  turns: 7,
  wave: 12,
  outerDepth: 12,
  innerDepth: 6,
}

/** After twenty blocks the validators sign one seal together. Everything before it is final. */
export function checkpoint(pen: CanvasRenderingContext2D, time: number): void {
  const settled = progress(time, 3, 4.3) * (BLOCKS + 2)
  drawLine(pen, [...PLACES, CHECKPOINT], progress(time, 0, 1.6), { ink: QUIET, strength: 0.5, weight: 1.4 })
  VALIDATORS.forEach((validator, index) =>
    drawLine(pen, [validator, CHECKPOINT], progress(time, 1.4 + index * 0.1, 2.1 + index * 0.1), {
      ink: COPPER,
      strength: 0.5,
      weight: 1.2,
    }),
  )
  for (let index = 0; index < BLOCKS; index++) {
    const shown = progress(time, 0.05 + index * 0.06, 0.45 + index * 0.06)
    if (shown <= 0) continue
    const isSettled = BLOCKS - index < settled
    const ink = isSettled ? VERDIGRIS : PAPER
    const side = mix(40, 68, shown)
    drawBlock(pen, {
      ...PLACES[index]!,
      name: `block ${index}`,
      side,
      ink,
      frame: ink,
      strength: isSettled ? 1 : 0.55,
    })
  }
  const signed = progress(time, 1.8, 3)
  VALIDATORS.forEach((validator, index) => {
    const shown = progress(time, 0.9 + index * 0.1, 1.5 + index * 0.1)
    fillDisc(pen, validator, 40 * shown, { ink: GROUND })
    drawCircle(pen, validator, 40, { ink: QUIET, strength: 0.8, part: shown })
    engrave(pen, nodeFace, { ...validator, scale: 0.31, ink: COPPER, part: shown, weight: 0.9 })
    const pulse = progress(time, 1.8 + index * 0.1, 2.5 + index * 0.1)
    if (pulse > 0 && pulse < 1) fillDisc(pen, between(validator, CHECKPOINT, pulse), 4, { ink: PAPER })
  })
  fillDisc(pen, CHECKPOINT, 86 * Math.min(1, signed * 3), { ink: GROUND })
  engrave(pen, signet, { ...CHECKPOINT, scale: 0.86, ink: COPPER, part: signed, weight: 1.1 })
}
