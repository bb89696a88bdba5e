import { COPPER, GROUND, PAPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCircle, fillDisc } from '../drawing/line.ts'
import { onCircle, progress } from '../drawing/motion.ts'
import { drawSeal } from '../props/seal.ts'

const CENTRE = { x: 640, y: 316 }
const PLACES = 13
const OPEN = 0

/** Twelve people's rosettes in a ring, and in the place left open the thirteenth is cut. */
export function doesThatSoundLikeYou(pen: CanvasRenderingContext2D, time: number): void {
  drawCircle(pen, CENTRE, 222, { ink: QUIET, strength: 0.35 })
  for (let index = 0; index < PLACES; index++) {
    const place = onCircle(CENTRE, 222, index * (360 / PLACES) + 180)
    fillDisc(pen, place, 50, { ink: GROUND })
    if (index === OPEN) continue
    const part = progress(time, 0.1 + index * 0.1, 1.2 + index * 0.1)
    drawCircle(pen, place, 50, { ink: QUIET, strength: 0.6, part })
    drawSeal(pen, {
      ...place,
      name: `person ${index}`,
      radius: 41,
      part,
      ink: index % 2 ? VERDIGRIS : COPPER,
    })
  }
  const place = onCircle(CENTRE, 222, 180)
  const cut = progress(time, 2, 4.2)
  drawCircle(pen, place, 50, { ink: PAPER, weight: 2, dash: [5, 7] })
  drawSeal(pen, { ...place, name: 'you', radius: 41, part: cut, ink: PAPER })
  drawSeal(pen, { ...CENTRE, name: 'you', radius: 118, part: cut, ink: PAPER, strength: 0.9 })
}
