import { mix, progress } from '../drawing/motion.ts'
import { drawClock, drawRestingCoin, drawVessel, restingPlace } from './vessel.ts'

export const GIVEN = 15

/** Coins fall into a vessel with a mark, while the time on a dial runs down. */
export function aCampaign(pen: CanvasRenderingContext2D, time: number): void {
  drawClock(pen, 1 - 0.6 * progress(time, 0.6, 5))
  drawVessel(pen, false)
  for (let index = 0; index < GIVEN; index++) {
    const fallen = Math.min(1, Math.max(0, (time - 0.7 - index * 0.22) / 0.7)) ** 2
    if (fallen <= 0) continue
    const rest = restingPlace(index)
    drawRestingCoin(pen, { x: rest.x, y: mix(-50, rest.y, fallen) })
  }
}
