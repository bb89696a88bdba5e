import { alongBow, mix, progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawPerson } from '../props/person.ts'
import { GIVEN } from './a-campaign.ts'
import { COIN, drawClock, drawVessel, restingPlace } from './vessel.ts'

const GIVERS = [680, 800, 920, 1040, 1160].map((x) => ({ x, y: 540 }))
const RETURNED_COIN = 13

/** The time is up and the mark is not reached, so each giver's coins come back. */
export function goalMissed(pen: CanvasRenderingContext2D, time: number): void {
  const up = progress(time, 0.5, 1.7)
  drawClock(pen, 0.4 * (1 - up))
  drawVessel(pen, false)
  GIVERS.forEach((giver, index) => {
    const shown = progress(time, 0.8 + index * 0.1, 1.4 + index * 0.1)
    if (shown > 0) drawPerson(pen, { ...giver, size: 48, strength: shown })
  })
  for (let index = 0; index < GIVEN; index++) {
    const giver = GIVERS[index % GIVERS.length]!
    const rest = restingPlace(index)
    const leaves = 1.9 + (GIVEN - index) * 0.09
    const back = progress(time, leaves, leaves + 0.9)
    const place = Math.floor(index / GIVERS.length) - 1
    const home = { x: giver.x + place * 30, y: giver.y + 26 }
    drawCoin(pen, { ...alongBow(rest, home, back, 150), radius: mix(COIN, RETURNED_COIN, back) })
  }
}
