import { GROUND, type Ink, PAPER, tint } from '../drawing/ink.ts'
import { drawLine, strokeWith } from '../drawing/line.ts'
import { placed, type Point } from '../drawing/motion.ts'

type Bubble = Point & { side: 'left' | 'right'; shown: number; ink?: Ink }

/** A speech bubble with its tail to one side. `inside` is drawn around the bubble's center. */
export function drawBubble(pen: CanvasRenderingContext2D, bubble: Bubble, inside: () => void): void {
  const { x, y, side, shown, ink = PAPER } = bubble
  if (shown <= 0) return
  const tail = side === 'left' ? -1 : 1
  placed(pen, { x, y, scale: 0.7 + 0.3 * shown, strength: shown }, () => {
    pen.beginPath()
    pen.roundRect(-105, -66, 210, 124, 22)
    pen.fillStyle = tint(GROUND, 1)
    pen.fill()
    strokeWith(pen, { ink, weight: 2.2 })
    pen.beginPath()
    pen.moveTo(tail * 36, 57)
    pen.lineTo(tail * 78, 96)
    pen.lineTo(tail * 70, 57)
    pen.fill()
    drawLine(
      pen,
      [
        { x: tail * 36, y: 58 },
        { x: tail * 78, y: 96 },
        { x: tail * 70, y: 58 },
      ],
      1,
      { ink, weight: 2.2 },
    )
    inside()
  })
}

/** A question mark, drawn as a line. */
export function drawQuestion(pen: CanvasRenderingContext2D, ink: Ink): void {
  pen.beginPath()
  pen.arc(0, -24, 20, Math.PI, 2.35 * Math.PI)
  pen.quadraticCurveTo(0, 4, 0, 18)
  strokeWith(pen, { ink, weight: 5 })
  pen.beginPath()
  pen.arc(0, 36, 1.5, 0, 2 * Math.PI)
  strokeWith(pen, { ink, weight: 5 })
}
