import { PAPER, QUIET } from '../drawing/ink.ts'
import { drawCard, drawCircle, drawLine, strokeWith } from '../drawing/line.ts'
import { placed, type Point, progress } from '../drawing/motion.ts'
import { drawStrike } from '../props/signs.ts'

const Y = 312
const COLUMNS = [270, 640, 1010]
const stroke = { ink: PAPER, weight: 2.2 }

/** A camera, a cloud and a message, each with words in it, and each struck out. */
export function keptToYourself(pen: CanvasRenderingContext2D, time: number): void {
  const drawings = [drawCamera, drawCloud, drawMessage]
  drawings.forEach((draw, index) => {
    const shown = progress(time, 0.2 + index * 0.3, 0.9 + index * 0.3)
    const struck = progress(time, 1.6 + index * 0.75, 2.1 + index * 0.75)
    const centre = { x: COLUMNS[index]!, y: Y }
    placed(pen, { x: 0, y: 0, strength: shown * (1 - 0.55 * struck) }, () => draw(pen, centre))
    drawStrike(pen, { ...centre, radius: 124, part: struck })
  })
}

function drawWords(pen: CanvasRenderingContext2D, { x, y }: Point): void {
  for (const [index, length] of [74, 52, 66].entries()) {
    const line = [
      { x: x - 38, y: y - 22 + index * 22 },
      { x: x - 38 + length, y: y - 22 + index * 22 },
    ]
    drawLine(pen, line, 1, { ink: QUIET, weight: 4 })
  }
}

function drawCamera(pen: CanvasRenderingContext2D, centre: Point): void {
  drawCard(pen, { x: centre.x, y: centre.y - 84 }, { width: 84, height: 44, radius: 8 }, stroke)
  drawCard(pen, centre, { width: 250, height: 166, radius: 16 }, stroke)
  drawCircle(pen, centre, 66, stroke)
  drawCircle(pen, { x: centre.x + 98, y: centre.y - 56 }, 8, stroke)
  drawWords(pen, centre)
}

function drawCloud(pen: CanvasRenderingContext2D, { x, y }: Point): void {
  pen.beginPath()
  pen.arc(x - 74, y + 26, 54, Math.PI / 2, 1.42 * Math.PI)
  pen.arc(x - 12, y - 26, 74, 1.08 * Math.PI, 1.78 * Math.PI)
  pen.arc(x + 84, y + 22, 58, 1.42 * Math.PI, 0.5 * Math.PI)
  pen.closePath()
  strokeWith(pen, stroke)
  drawWords(pen, { x, y: y + 10 })
}

function drawMessage(pen: CanvasRenderingContext2D, { x, y }: Point): void {
  pen.beginPath()
  pen.roundRect(x - 125, y - 90, 250, 150, 18)
  strokeWith(pen, stroke)
  drawLine(
    pen,
    [
      { x: x - 74, y: y + 60 },
      { x: x - 82, y: y + 104 },
      { x: x - 26, y: y + 60 },
    ],
    1,
    stroke,
  )
  drawWords(pen, { x, y: y - 15 })
}
