import { randomNumbersFrom } from '../../../web/brand/guilloche.ts'
import { COPPER, LINE, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCard, drawLine } from '../drawing/line.ts'
import { progress } from '../drawing/motion.ts'
import { drawPerson } from '../props/person.ts'

const pick = randomNumbersFrom('library')
const SHELVES = [170, 290]
const BOOKS = SHELVES.flatMap((floor) => {
  const books: { x: number; floor: number; width: number; height: number; ink: typeof QUIET }[] = []
  for (let x = 120; x < 1150;) {
    const width = 16 + pick(18)
    books.push({
      x: x + width / 2,
      floor,
      width,
      height: 66 + pick(34),
      ink: [QUIET, QUIET, VERDIGRIS, COPPER][pick(4)]!,
    })
    x += width + 4 + (pick(9) === 0 ? 34 : 0)
  }
  return books
})

/** Shelves of books, a person who explains, and rows of listeners. */
export function inTheLibrary(pen: CanvasRenderingContext2D, time: number): void {
  const filled = progress(time, 0, 1.8) * BOOKS.length
  BOOKS.forEach(({ x, floor, width, height, ink }, index) => {
    if (index > filled) return
    drawCard(
      pen,
      { x, y: floor - height / 2 },
      { width, height, radius: 2 },
      { ink, strength: 0.5, weight: 1.5 },
    )
  })
  for (const floor of SHELVES)
    drawLine(
      pen,
      [
        { x: 100, y: floor + 2 },
        { x: 1180, y: floor + 2 },
      ],
      1,
      { ink: LINE, weight: 4 },
    )
  drawPerson(pen, { x: 640, y: 452, size: 96, ring: progress(time, 0.8, 2), ringTurn: time * 2 })
  for (let index = 0; index < 9; index++) {
    const shown = progress(time, 1.2 + index * 0.15, 1.9 + index * 0.15)
    const place = { x: 160 + index * 120, y: 590 + 20 * (1 - shown) }
    if (shown > 0) drawPerson(pen, { ...place, size: 52, strength: 0.8 * shown })
  }
}
