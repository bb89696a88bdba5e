import { progress } from '../drawing/motion.ts'
import { drawCampaignMedallion, drawDaoMedallion, drawTokenMedallion } from './medallions.ts'

export const KINDS = [
  { x: 240, y: 312, draw: drawTokenMedallion },
  { x: 640, y: 312, draw: drawCampaignMedallion },
  { x: 1040, y: 312, draw: drawDaoMedallion },
]

/** The three kinds of contract, one after another. */
export function threeKinds(pen: CanvasRenderingContext2D, time: number): void {
  KINDS.forEach(({ x, y, draw }, index) => {
    draw(pen, {
      x,
      y,
      scale: 1.22,
      part: progress(time, 0.5 + index * 0.8, 2.4 + index * 0.8),
      turn: time * 1.5,
    })
  })
}
