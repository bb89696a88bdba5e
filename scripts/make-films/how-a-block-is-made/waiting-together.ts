import type { Guilloche } from '../../../web/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { VERDIGRIS } from '../drawing/ink.ts'
import { between, placed, type Point, progress } from '../drawing/motion.ts'
import { drawTick } from '../props/signs.ts'
import { drawSlip } from '../props/slip.ts'

export const WAITING = 12
const GATE = { x: 370, y: 310 }
const gate: Guilloche = { inner: 118, outer: 164, lobes: 72, turns: 7, wave: 12, outerDepth: 12 }

/** Where a waiting payment lies: four columns of three. */
export function waitingPlace(index: number): Point {
  return { x: 690 + (index % 4) * 156, y: 190 + Math.floor(index / 4) * 120 }
}

/** Payments pass the check one after another and wait in rows. A broken one is turned away. */
export function waitingTogether(pen: CanvasRenderingContext2D, time: number): void {
  engrave(pen, gate, { ...GATE, ink: VERDIGRIS, strength: 0.8, turn: time * 2, weight: 1 })
  for (let index = 0; index < WAITING; index++) {
    const leaves = 0.1 + index * 0.27
    const start = { x: -90, y: 180 + ((index * 97) % 260) }
    const arriving = progress(time, leaves, leaves + 0.9)
    const leaving = progress(time, leaves + 1.0, leaves + 1.6)
    const at = leaving > 0 ? between(GATE, waitingPlace(index), leaving) : between(start, GATE, arriving)
    if (arriving > 0) drawSlip(pen, { ...at, width: 136, name: `payment ${index}` })
    const ticked = progress(time, leaves + 0.8, leaves + 1.1) - progress(time, leaves + 1.2, leaves + 1.4)
    if (ticked > 0)
      placed(pen, { x: 0, y: 0, strength: ticked }, () => drawTick(pen, { x: GATE.x, y: 108, radius: 22 }))
  }
  drawTurnedAway(pen, time)
}

function drawTurnedAway(pen: CanvasRenderingContext2D, time: number): void {
  const arriving = progress(time, 1.2, 2.3)
  const falling = progress(time, 2.6, 3.6)
  const at = between(between({ x: -90, y: 500 }, { x: 250, y: 500 }, arriving), { x: 190, y: 590 }, falling)
  if (arriving > 0)
    drawSlip(pen, {
      ...at,
      width: 136,
      name: 'payment x',
      isBroken: true,
      strength: 1 - falling,
      turn: -14 * falling,
    })
}
