import { alongBow, mix, type Point, progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawTick } from '../props/signs.ts'
import { GIVEN } from './a-campaign.ts'
import { drawProject } from './medallions.ts'
import { COIN, drawVessel, GOAL_COINS, restingPlace, VESSEL } from './vessel.ts'

const PROJECT = { x: 980, y: 300 }
const KEPT_COIN = 15

/** Where a coin lies in front of the project: two rows below the house. */
function keptPlace(index: number): Point {
  const row = index % 2
  return { x: PROJECT.x + (Math.floor(index / 2) - 6 + row / 2) * 34, y: PROJECT.y + 124 + row * 34 }
}

/** The coins rise above the mark and then all go to the project. */
export function goalReached(pen: CanvasRenderingContext2D, time: number): void {
  const reached = progress(time, 1.7, 2)
  drawVessel(pen, reached > 0)
  drawProject(pen, PROJECT, progress(time, 0.6, 1.4))
  for (let index = 0; index < GOAL_COINS; index++) {
    const fallen =
      index < GIVEN ? 1 : Math.min(1, Math.max(0, (time - 0.5 - (index - GIVEN) * 0.1) / 0.5)) ** 2
    if (fallen <= 0) continue
    const rest = restingPlace(index)
    const leaves = 2.4 + (GOAL_COINS - index) * 0.05
    const gone = progress(time, leaves, leaves + 0.9)
    const at =
      gone > 0 ? alongBow(rest, keptPlace(index), gone, 130) : { x: rest.x, y: mix(-50, rest.y, fallen) }
    drawCoin(pen, { ...at, radius: mix(COIN, KEPT_COIN, gone) })
  }
  drawTick(pen, {
    x: VESSEL.x + VESSEL.width / 2 + 62,
    y: VESSEL.goal,
    radius: 24,
    part: progress(time, 1.8, 2.3),
  })
}
