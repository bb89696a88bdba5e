import { story } from '../drawing/story.ts'
import { type Guilloche, randomNumbersFrom } from '../../../web/kernel/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { VERDIGRIS, COPPER, PAPER, LINE, QUIET, GROUND, tint } from '../drawing/ink.ts'
import { drawLine, fillDisc, drawCard, strokeWith, drawCircle } from '../drawing/line.ts'
import { progress, between, alongBow, mix, placed, onCircle } from '../drawing/motion.ts'
import { drawPerson } from '../props/person.ts'
import { drawBubble, drawQuestion } from './bubble.ts'
import { drawCoin } from '../props/coin.ts'
import { drawTick, drawStrike } from '../props/signs.ts'
import { drawPhone, drawSheet } from '../props/wallet.ts'
import { keyBow } from '../props/figures.ts'
import { drawSeal } from '../props/seal.ts'

export const film = story(
  [
    askInPerson,
    somebodyToAsk,
    inTheLibrary,
    firstPayment,
    translateAndReport,
    noPromises,
    yourWordsAreYours,
    doesThatSoundLikeYou,
  ],
  { secondsEach: 5, posterAt: 9.4, backdrop, joined: [] },
)

const field: Guilloche = {
  inner: 420,
  outer: 640,
  lobes: 252,
  turns: 19,
  wave: 36,
  outerDepth: 36,
  innerDepth: 22,
}

/** A faint rosette that does not move behind any scene. */
function backdrop(pen: CanvasRenderingContext2D): void {
  engrave(pen, field, { x: 1390, y: 760, ink: VERDIGRIS, strength: 0.12, weight: 1 })
}

/** Two people face each other: one asks, the other answers. */
function askInPerson(pen: CanvasRenderingContext2D, time: number): void {
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

const AMBASSADOR = { x: 640, y: 430, size: 118 }
const HEAD = { x: 640, y: 262 }
const OTHERS = [
  { x: 130, y: 220 },
  { x: 250, y: 390 },
  { x: 130, y: 560 },
  { x: 1150, y: 220 },
  { x: 1030, y: 390 },
  { x: 1150, y: 560 },
]

/** One person gets a woven ring; the people around send questions there, and answers come back. */
function somebodyToAsk(pen: CanvasRenderingContext2D, time: number): void {
  OTHERS.forEach((other, index) => {
    const chest = { x: other.x + (other.x < 640 ? 66 : -66), y: other.y - 50 }
    const asked = progress(time, 1.6 + index * 0.25, 2.3 + index * 0.25)
    const rim = between(HEAD, chest, 150 / Math.hypot(chest.x - HEAD.x, chest.y - HEAD.y))
    drawLine(pen, [chest, rim], asked, { ink: COPPER, strength: 0.6, weight: 1.8 })
    const answered = progress(time, 2.3 + index * 0.25, 3.1 + index * 0.25)
    if (answered > 0 && answered < 1) fillDisc(pen, between(rim, chest, answered), 6, { ink: COPPER })
    drawPerson(pen, { ...other, size: 56, strength: answered >= 1 ? 1 : 0.6 })
  })
  drawPerson(pen, { ...AMBASSADOR, ring: progress(time, 0.4, 2), ringTurn: time * 2 })
}

const pickForShelf = randomNumbersFrom('library')
const SHELVES = [170, 290]
const BOOKS = SHELVES.flatMap((floor) => {
  const books: { x: number; floor: number; width: number; height: number; ink: typeof QUIET }[] = []
  for (let x = 120; x < 1150;) {
    const width = 16 + pickForShelf(18)
    books.push({
      x: x + width / 2,
      floor,
      width,
      height: 66 + pickForShelf(34),
      ink: [QUIET, QUIET, VERDIGRIS, COPPER][pickForShelf(4)]!,
    })
    x += width + 4 + (pickForShelf(9) === 0 ? 34 : 0)
  }
  return books
})

/** Shelves of books, a person who explains, and rows of listeners. */
function inTheLibrary(pen: CanvasRenderingContext2D, time: number): void {
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

const SHOP = { left: 130, right: 650, top: 120, floor: 550 }
const TILL = { x: 480, y: 418 }
const PHONE = { x: 1090, y: 345, height: 300 }

/** A shop with an awning; a coin goes from a phone to the till, and the till shows a tick. */
function firstPayment(pen: CanvasRenderingContext2D, time: number): void {
  drawShop(pen)
  drawPerson(pen, { x: 285, y: 470, size: 66 })
  drawPerson(pen, { x: 840, y: 550, size: 84, ring: progress(time, 0.3, 1.5), ringTurn: time * 2 })
  drawCounter(pen)
  drawPhone(pen, PHONE)
  const paid = progress(time, 1.8, 3)
  if (paid < 1) drawCoin(pen, { ...alongBow(PHONE, TILL, paid, 230), radius: 40, turn: -paid * 180 })
  drawTick(pen, { ...TILL, radius: 34, part: progress(time, 3, 3.5) })
}

function drawShop(pen: CanvasRenderingContext2D): void {
  const { left, right, top, floor } = SHOP
  const walls = [
    { x: left + 20, y: top + 60 },
    { x: left + 20, y: floor },
    { x: right - 20, y: floor },
    { x: right - 20, y: top + 60 },
  ]
  drawLine(pen, walls, 1, { ink: PAPER, weight: 2.2 })
  drawLine(
    pen,
    [
      { x: left - 40, y: floor },
      { x: 1240, y: floor },
    ],
    1,
    { ink: QUIET, strength: 0.4 },
  )
  const stripes = 8
  const width = (right - left) / stripes
  for (let index = 0; index < stripes; index++) {
    const x = left + index * width
    pen.beginPath()
    pen.moveTo(x, top)
    pen.lineTo(x, top + 74)
    pen.arc(x + width / 2, top + 74, width / 2, Math.PI, 0, true)
    pen.lineTo(x + width, top)
    pen.closePath()
    pen.fillStyle = tint(GROUND, 1)
    pen.fill()
    strokeWith(pen, { ink: index % 2 ? PAPER : COPPER, strength: 0.9, weight: 1.8 })
    if (index % 2) continue
    for (let line = 1; line < 8; line++) {
      const at = x + (line * width) / 8
      drawLine(
        pen,
        [
          { x: at, y: top + 4 },
          { x: at, y: top + 74 + 24 * Math.sin((line / 8) * Math.PI) },
        ],
        1,
        { ink: COPPER, strength: 0.45, weight: 1 },
      )
    }
  }
}

function drawCounter(pen: CanvasRenderingContext2D): void {
  drawCard(pen, { x: 390, y: 512 }, { width: 420, height: 76, radius: 4 }, { ink: PAPER, weight: 2.2 })
  drawCard(pen, TILL, { width: 130, height: 106, radius: 10 }, { ink: PAPER, weight: 2.2 })
  drawLine(
    pen,
    [
      { x: TILL.x - 50, y: TILL.y + 64 },
      { x: TILL.x + 50, y: TILL.y + 64 },
    ],
    1,
    { ink: QUIET, weight: 2 },
  )
}

const LEFT = { x: 410, y: 320 }
const RIGHT = { x: 870, y: 320 }
const PAGE = { width: 420, height: 460, radius: 8 }
const ROWS = 8
const pickForManual = randomNumbersFrom('manual')
const WORDS = Array.from({ length: ROWS }, () => [
  60 + pickForManual(60),
  50 + pickForManual(70),
  40 + pickForManual(50),
])
const MISTAKE = 5

/** A manual lies open: lines of words become rows of characters, and one mistake is struck out and corrected. */
function translateAndReport(pen: CanvasRenderingContext2D, time: number): void {
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

const CHART = { x: 370, y: 316 }
const BOX = { x: 910, y: 316 }

/** A line that only rises and a box that takes deposits: both are struck out. */
function noPromises(pen: CanvasRenderingContext2D, time: number): void {
  const first = progress(time, 1.9, 2.4)
  const second = progress(time, 3.2, 3.7)
  placed(pen, { x: 0, y: 0, strength: 1 - 0.55 * first }, () => drawChart(pen, progress(time, 0.3, 1.6)))
  placed(pen, { x: 0, y: 0, strength: 1 - 0.55 * second }, () => drawBox(pen, time))
  drawStrike(pen, { ...CHART, radius: 170, part: first })
  drawStrike(pen, { ...BOX, radius: 170, part: second })
}

function drawChart(pen: CanvasRenderingContext2D, part: number): void {
  const { x, y } = CHART
  drawLine(
    pen,
    [
      { x: x - 160, y: y - 150 },
      { x: x - 160, y: y + 130 },
      { x: x + 170, y: y + 130 },
    ],
    1,
    { ink: PAPER, weight: 2.4 },
  )
  const curve = Array.from({ length: 30 }, (_, index) => {
    const step = index / 29
    return { x: x - 150 + 290 * step, y: y + 112 - 230 * step ** 2.4 - 8 * Math.sin(step * 16) * step }
  })
  drawLine(pen, curve, part, { ink: COPPER, weight: 4 })
  if (part < 1) return
  drawLine(
    pen,
    [
      { x: x + 108, y: y - 104 },
      { x: x + 146, y: y - 124 },
      { x: x + 150, y: y - 80 },
    ],
    1,
    { ink: COPPER, weight: 4 },
  )
}

function drawBox(pen: CanvasRenderingContext2D, time: number): void {
  for (let index = 0; index < 3; index++) {
    const fallen = progress(time, 1.1 + index * 0.45, 1.9 + index * 0.45)
    if (fallen > 0 && fallen < 1) drawCoin(pen, { x: BOX.x, y: mix(90, BOX.y + 60, fallen), radius: 36 })
  }
  drawCard(
    pen,
    { x: BOX.x, y: BOX.y + 60 },
    { width: 260, height: 170, radius: 10 },
    { ink: PAPER, weight: 2.4 },
  )
  drawCard(
    pen,
    { x: BOX.x, y: BOX.y - 32 },
    { width: 290, height: 30, radius: 8 },
    { ink: PAPER, weight: 2.4 },
  )
  drawLine(
    pen,
    [
      { x: BOX.x - 46, y: BOX.y - 32 },
      { x: BOX.x + 46, y: BOX.y - 32 },
    ],
    1,
    { ink: QUIET, weight: 4 },
  )
}

const SHEET = { x: 330, y: 316, width: 232 }
const screen: Guilloche = {
  inner: 212,
  outer: 268,
  lobes: 108,
  turns: 7,
  wave: 36,
  outerDepth: 12,
  innerDepth: 12,
}

/** The sheet of words is turned over; a woven ring closes round its owner, and the ambassador stays outside it. */
function yourWordsAreYours(pen: CanvasRenderingContext2D, time: number): void {
  engrave(pen, screen, {
    x: SHEET.x,
    y: 316,
    ink: VERDIGRIS,
    part: progress(time, 1.9, 3.8),
    turn: time,
    weight: 1.2,
  })
  const turned = progress(time, 0.7, 1.7)
  const width = Math.abs(Math.cos(turned * Math.PI))
  pen.save()
  pen.translate(SHEET.x, SHEET.y)
  pen.scale(Math.max(0.02, width), 1)
  pen.translate(-SHEET.x, -SHEET.y)
  if (turned < 0.5) drawSheet(pen, SHEET)
  else drawBack(pen)
  pen.restore()
  const near = progress(time, 0.2, 1)
  placed(pen, { x: 0, y: 0, strength: near }, () => {
    drawPerson(pen, { x: 940, y: 500, size: 118, ring: 1, ringTurn: time * 2 })
  })
}

function drawBack(pen: CanvasRenderingContext2D): void {
  const size = { width: SHEET.width, height: SHEET.width * 1.3, radius: 4 }
  drawCard(pen, SHEET, size, { ink: QUIET, strength: 0.9, weight: 2 })
  engrave(pen, keyBow, { x: SHEET.x, y: SHEET.y, scale: 0.72, ink: COPPER, weight: 1.2 })
}

const CENTRE = { x: 640, y: 316 }
const PLACES = 13
const OPEN = 0

/** Twelve people's rosettes in a ring, and in the place left open the thirteenth is cut. */
function doesThatSoundLikeYou(pen: CanvasRenderingContext2D, time: number): void {
  drawCircle(pen, CENTRE, 222, { ink: QUIET, strength: 0.35 })
  for (let index = 0; index < PLACES; index++) {
    const place = onCircle(CENTRE, 222, index * (360 / PLACES) + 180)
    fillDisc(pen, place, 50, { ink: GROUND })
    if (index === OPEN) continue
    const part = progress(time, 0.1 + index * 0.1, 1.2 + index * 0.1)
    drawCircle(pen, place, 50, { ink: QUIET, strength: 0.6, part })
    drawSeal(pen, {
      ...place,
      name: `person ${index}`,
      radius: 41,
      part,
      ink: index % 2 ? VERDIGRIS : COPPER,
    })
  }
  const place = onCircle(CENTRE, 222, 180)
  const cut = progress(time, 2, 4.2)
  drawCircle(pen, place, 50, { ink: PAPER, weight: 2, dash: [5, 7] })
  drawSeal(pen, { ...place, name: 'you', radius: 41, part: cut, ink: PAPER })
  drawSeal(pen, { ...CENTRE, name: 'you', radius: 118, part: cut, ink: PAPER, strength: 0.9 })
}
