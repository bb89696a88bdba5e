import { alongBow, between, progress } from '../drawing/motion.ts'
import { drawPerson } from '../props/person.ts'
import { GIVEN } from './a-campaign.ts'
import { drawClock, drawRestingCoin, drawVessel, restingPlace } from './vessel.ts'

const GIVERS = [690, 830, 970, 1110, 1230].map((x) => ({ x: x - 20, y: 545 }))

/** The time is up below the mark: each giver's coins come back. */
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
    const home = { x: giver.x, y: giver.y - 24 }
    const at = back > 0 ? alongBow(rest, home, back, 150) : between(rest, home, 0)
    if (back < 1) drawRestingCoin(pen, at)
  }
}
