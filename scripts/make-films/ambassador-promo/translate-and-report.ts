import { randomNumbersFrom } from '../../../web/brand/guilloche.ts'
import { COPPER, PAPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCard, drawLine } from '../drawing/line.ts'
import { progress } from '../drawing/motion.ts'

const LEFT = { x: 410, y: 320 }
const RIGHT = { x: 870, y: 320 }
const PAGE = { width: 420, height: 460, radius: 8 }
const ROWS = 8
const pick = randomNumbersFrom('manual')
const WORDS = Array.from({ length: ROWS }, () => [60 + pick(60), 50 + pick(70), 40 + pick(50)])
const MISTAKE = 5

/** A manual lies open: lines of words become rows of characters, and one mistake is struck out and corrected. */
export function translateAndReport(pen: CanvasRenderingContext2D, time: number): void {
  drawCard(pen, LEFT, PAGE, { ink: QUIET, strength: 0.8, weight: 1.8 })
  drawCard(pen, RIGHT, PAGE, { ink: QUIET, strength: 0.8, weight: 1.8 })
  for (let row = 0; row < ROWS; row++) {
    const y = 150 + row * 48
    drawWords(pen, row, y)
    drawCharacters(pen, y, progress(time, 0.4 + row * 0.28, 1 + row * 0.28))
  }
  const y = 150 + MISTAKE * 48
  const struck = progress(time, 3, 3.5)
  drawLine(
    pen,
    [
      { x: LEFT.x - 176, y: y + 9 },
      { x: LEFT.x - 60, y: y - 9 },
    ],
    struck,
    { ink: COPPER, weight: 3.4 },
  )
  drawLine(
    pen,
    [
      { x: LEFT.x - 172, y: y - 24 },
      { x: LEFT.x - 74, y: y - 24 },
    ],
    progress(time, 3.5, 4.1),
    { ink: VERDIGRIS, weight: 6 },
  )
}

function drawWords(pen: CanvasRenderingContext2D, row: number, y: number): void {
  let x = LEFT.x - 172
  for (const length of WORDS[row]!) {
    drawLine(
      pen,
      [
        { x, y },
        { x: x + length, y },
      ],
      1,
      { ink: PAPER, strength: 0.85, weight: 5 },
    )
    x += length + 20
  }
}

function drawCharacters(pen: CanvasRenderingContext2D, y: number, part: number): void {
  for (let index = 0; index < 11 * part; index++) {
    const centre = { x: RIGHT.x - 160 + index * 32, y }
    drawCard(pen, centre, { width: 22, height: 22, radius: 3 }, { ink: COPPER, strength: 0.95, weight: 2 })
    drawLine(
      pen,
      [
        { x: centre.x - 11, y },
        { x: centre.x + 11, y },
      ],
      1,
      { ink: COPPER, strength: 0.7, weight: 1.4 },
    )
  }
}
