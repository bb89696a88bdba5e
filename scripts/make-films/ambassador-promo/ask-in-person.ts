import { COPPER, PAPER, VERDIGRIS } from '../drawing/ink.ts'
import { drawLine } from '../drawing/line.ts'
import { progress } from '../drawing/motion.ts'
import { drawPerson } from '../props/person.ts'
import { drawBubble, drawQuestion } from './bubble.ts'

/** Two people face each other: one asks, the other answers. */
export function askInPerson(pen: CanvasRenderingContext2D, time: number): void {
  drawPerson(pen, { x: 330, y: 550, size: 128 })
  drawPerson(pen, { x: 950, y: 550, size: 128 })
  drawBubble(pen, { x: 510, y: 210, side: 'left', shown: progress(time, 0.6, 1.2) }, () =>
    drawQuestion(pen, COPPER),
  )
  drawBubble(pen, { x: 770, y: 210, side: 'right', shown: progress(time, 2.2, 2.8), ink: VERDIGRIS }, () => {
    for (const [index, length] of [130, 96, 116].entries()) {
      const line = [
        { x: -64, y: -32 + index * 28 },
        { x: -64 + length, y: -32 + index * 28 },
      ]
      drawLine(pen, line, progress(time, 2.7 + index * 0.35, 3.2 + index * 0.35), { ink: PAPER, weight: 5 })
    }
  })
}
