import { engrave } from '../drawing/engrave.ts'
import { COPPER, PAPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCircle, drawLine, fillDisc, strokeWith } from '../drawing/line.ts'
import { onCircle, placed, type Point } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { halo } from '../props/figures.ts'

type Medallion = Point & { scale?: number; part?: number; turn?: number; strength?: number }

function drawRim(pen: CanvasRenderingContext2D, part: number, turn: number): void {
  engrave(pen, halo, { x: 0, y: 0, scale: 1.3, ink: VERDIGRIS, part, turn, weight: 1 })
}

/** The token: a coin of its own. */
export function drawTokenMedallion(
  pen: CanvasRenderingContext2D,
  { part = 1, turn = 0, ...place }: Medallion,
): void {
  placed(pen, place, () => {
    drawRim(pen, part, turn)
    drawCoin(pen, { x: 0, y: 0, radius: 66, part: Math.max(0, part * 1.5 - 0.5), turn: -turn })
  })
}

/** The campaign: a vessel with a mark to reach. */
export function drawCampaignMedallion(
  pen: CanvasRenderingContext2D,
  { part = 1, turn = 0, ...place }: Medallion,
): void {
  placed(pen, place, () => {
    drawRim(pen, part, turn)
    const inner = Math.max(0, part * 1.5 - 0.5)
    const vessel = [
      { x: -44, y: -56 },
      { x: -44, y: 56 },
      { x: 44, y: 56 },
      { x: 44, y: -56 },
    ]
    drawLine(pen, vessel, inner, { ink: PAPER, weight: 2.4 })
    drawLine(
      pen,
      [
        { x: -60, y: -24 },
        { x: 60, y: -24 },
      ],
      inner,
      { ink: COPPER, weight: 2, dash: [6, 6] },
    )
    for (let index = 0; index < 6 && inner >= 1; index++) {
      drawCoin(pen, { x: -26 + (index % 3) * 26, y: 41 - Math.floor(index / 3) * 27, radius: 12 })
    }
  })
}

/** The DAO: members around their common property. */
export function drawDaoMedallion(
  pen: CanvasRenderingContext2D,
  { part = 1, turn = 0, ...place }: Medallion,
): void {
  placed(pen, place, () => {
    drawRim(pen, part, turn)
    const inner = Math.max(0, part * 1.5 - 0.5)
    for (let index = 0; index < 9; index++) {
      if (index / 9 >= inner) break
      const member = onCircle({ x: 0, y: 0 }, 70, index * 40)
      drawLine(pen, [member, onCircle({ x: 0, y: 0 }, 30, index * 40)], 1, { ink: QUIET, strength: 0.7 })
      fillDisc(pen, member, 8, { ink: PAPER })
    }
    drawCoin(pen, { x: 0, y: 0, radius: 28, part: inner })
  })
}

/** A house with an open door: where a project's coins go. */
export function drawProject(pen: CanvasRenderingContext2D, { x, y }: Point, strength: number): void {
  placed(pen, { x, y, strength }, () => {
    pen.beginPath()
    pen.roundRect(-100, -56, 200, 146, 4)
    strokeWith(pen, { ink: PAPER, weight: 2.2 })
    drawLine(
      pen,
      [
        { x: -124, y: -56 },
        { x: 0, y: -138 },
        { x: 124, y: -56 },
        { x: -124, y: -56 },
      ],
      1,
      { ink: PAPER, weight: 2.2 },
    )
    pen.beginPath()
    pen.roundRect(-28, 16, 56, 74, 3)
    strokeWith(pen, { ink: PAPER, weight: 2 })
    drawCircle(pen, { x: 0, y: -92 }, 15, { ink: COPPER, weight: 2 })
    for (const column of [-68, 68]) {
      pen.beginPath()
      pen.roundRect(column - 15, -16, 30, 36, 2)
      strokeWith(pen, { ink: QUIET, weight: 1.8 })
    }
  })
}
