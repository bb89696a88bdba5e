import { between, mix, onCircle, progress } from '../drawing/motion.ts'
import { drawBlock, drawTie } from '../props/block.ts'
import { drawCoin } from '../props/coin.ts'
import { FOUND } from './work-and-check.ts'

const SIDE = 170
const STEP = 230
const Y = 380
const REWARD = 35

/** The new block is tied to the one before it; the coins of its reward appear above it. */
export function joinsTheChain(pen: CanvasRenderingContext2D, time: number): void {
  const moved = progress(time, 0.1, 1.6)
  const home = { x: 860, y: Y }
  const older = Array.from({ length: 5 }, (_, index) => ({
    x: home.x - STEP * (index + 1) + 60 * (1 - moved),
    y: Y,
  }))
  older.forEach((place, index) => {
    if (index + 1 < older.length) drawTie(pen, place, older[index + 1]!, { side: SIDE, part: 1 })
    drawBlock(pen, { ...place, name: `block ${6 - index}`, side: SIDE, strength: 0.75 - index * 0.12 })
  })
  const newest = between({ x: 1420, y: Y }, home, moved)
  drawTie(pen, newest, older[0]!, { side: SIDE, part: progress(time, 1.5, 2.2) })
  drawBlock(pen, { ...newest, name: FOUND, side: SIDE })
  for (let index = 0; index < REWARD; index++) {
    const part = progress(time, 2.2 + index * 0.035, 2.9 + index * 0.035)
    if (part <= 0) continue
    const column = index % 7
    const row = Math.floor(index / 7)
    const place = { x: home.x - 123 + column * 41, y: 64 + row * 41 }
    const at = between(onCircle(home, 40, index * 51), place, part)
    drawCoin(pen, { ...at, radius: mix(5, 16, part) })
  }
}
