import { GROUND, PAPER } from '../drawing/ink.ts'
import { fillDisc } from '../drawing/line.ts'
import { mix, progress } from '../drawing/motion.ts'
import { drawBlock, drawTie } from '../props/block.ts'
import { drawLens } from '../props/signs.ts'
import { KINDS } from './three-kinds.ts'

const SIDE = 150
const PLACES = [-1, 0, 1, 2, 3, 4, 5, 6].map((index) => ({ x: 40 + index * 218, y: 312 }))
const LENS = 168

/** A lens moves along the chain. In the blocks where it stops, a contract can be read. */
export function lookedUp(pen: CanvasRenderingContext2D, time: number): void {
  const drift = -time * 6
  const places = PLACES.map(({ x, y }) => ({ x: x + drift, y }))
  places.forEach((place, index) => {
    if (index > 0) drawTie(pen, place, places[index - 1]!, { side: SIDE, part: 1 })
    drawBlock(pen, { ...place, name: `block ${index}`, side: SIDE, ink: PAPER, strength: 0.5 })
  })
  const steps = [progress(time, 0.3, 1), progress(time, 1.9, 2.5), progress(time, 3.4, 4)]
  const stop = steps[1]! + steps[2]!
  const from = mix(-240, places[2]!.x, steps[0]!)
  const x =
    stop > 0
      ? mix(places[2 + Math.floor(stop)]!.x, places[Math.min(5, 3 + Math.floor(stop))]!.x, stop % 1)
      : from
  const lens = { x: stop === 2 ? places[4]!.x : x, y: 312 }
  fillDisc(pen, lens, LENS, { ink: GROUND })
  pen.save()
  pen.beginPath()
  pen.arc(lens.x, lens.y, LENS, 0, 2 * Math.PI)
  pen.clip()
  KINDS.forEach(({ draw }, index) => {
    const place = places[2 + index]!
    draw(pen, { x: lens.x + (place.x - lens.x) * 1.9, y: 312, scale: 1.12, turn: time * 2 })
  })
  pen.restore()
  drawLens(pen, { ...lens, radius: LENS })
}
