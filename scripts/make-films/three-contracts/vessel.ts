import { COPPER, PAPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCircle, drawLine } from '../drawing/line.ts'
import { onCircle, type Point } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'

export const VESSEL = { x: 360, bottom: 530, top: 110, width: 330, goal: 240 }
const CLOCK = { x: 920, y: 256, radius: 150 }
const COLUMNS = 5
export const COIN = 29
export const GOAL_COINS = 25

/** Where a coin comes to rest in the vessel; the goal is five full rows. */
export function restingPlace(index: number): Point {
  const x = VESSEL.x + ((index % COLUMNS) - 2) * 61
  return { x, y: VESSEL.bottom - COIN - 4 - Math.floor(index / COLUMNS) * 58 }
}

export function drawVessel(pen: CanvasRenderingContext2D, isReached: boolean): void {
  const { x, bottom, top, width, goal } = VESSEL
  const sides = [
    { x: x - width / 2, y: top },
    { x: x - width / 2, y: bottom },
    { x: x + width / 2, y: bottom },
    { x: x + width / 2, y: top },
  ]
  drawLine(pen, sides, 1, { ink: PAPER, weight: 2.4 })
  const mark = [
    { x: x - width / 2 - 34, y: goal },
    { x: x + width / 2 + 34, y: goal },
  ]
  drawLine(pen, mark, 1, { ink: isReached ? VERDIGRIS : COPPER, weight: 2.6, dash: isReached ? [] : [10, 9] })
}

export function drawRestingCoin(pen: CanvasRenderingContext2D, at: Point): void {
  drawCoin(pen, { ...at, radius: COIN })
}

/** The remaining time, as the lit part of a dial. */
export function drawClock(pen: CanvasRenderingContext2D, left: number): void {
  for (let index = 0; index < 48; index++) {
    const isLeft = index / 48 < left
    const stroke = [
      onCircle(CLOCK, CLOCK.radius, index * 7.5),
      onCircle(CLOCK, CLOCK.radius - 26, index * 7.5),
    ]
    drawLine(pen, stroke, 1, { ink: isLeft ? PAPER : QUIET, strength: isLeft ? 1 : 0.25, weight: 2.6 })
  }
  drawCircle(pen, CLOCK, CLOCK.radius + 18, { ink: QUIET, strength: 0.6 })
  drawLine(pen, [CLOCK, onCircle(CLOCK, CLOCK.radius - 44, left * 360)], 1, { ink: COPPER, weight: 3 })
  drawCircle(pen, CLOCK, 6, { ink: COPPER, weight: 3 })
}
