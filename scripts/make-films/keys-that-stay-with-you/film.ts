import { story } from '../drawing/story.ts'
import { type Guilloche, randomNumbersFrom } from '../../../web/kernel/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { VERDIGRIS, COPPER, LINE, PAPER, QUIET, translucent } from '../drawing/ink.ts'
import { progress, alongBow, mix, type Point, between, onCircle, placed } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawKey, drawPhone, drawSheet, WORDS, wordLine } from '../props/wallet.ts'
import { drawCard, drawLine, fillDisc, drawCircle, strokeWith } from '../drawing/line.ts'
import { drawSeal } from '../props/seal.ts'
import { keyBow } from '../props/figures.ts'
import { drawStrike } from '../props/signs.ts'
import { drawPerson } from '../props/person.ts'

export const film = story(
  [
    walletHoldsKeys,
    entriesOnTheChain,
    madeOnYourDevice,
    wordsAreTheBackup,
    onPaper,
    keptToYourself,
    wordsBringItBack,
    whoeverHasTheWords,
    nobodyCanHelp,
  ],
  { secondsEach: 5, posterAt: 19.5, backdrop, joined: [entriesOnTheChain] },
)

const field: Guilloche = { inner: 470, outer: 490, lobes: 18, rings: 22, step: 11, twist: 3.5 }

/** A faint engine-turned dial that stands still behind every scene. */
function backdrop(pen: CanvasRenderingContext2D): void {
  engrave(pen, field, { x: 0, y: 720, ink: VERDIGRIS, strength: 0.13, weight: 1 })
}

const PHONE = { x: 640, y: 312, height: 500 }

/** What looked like a coin in the phone unravels, and a key is cut in its place. */
function walletHoldsKeys(pen: CanvasRenderingContext2D, time: number): void {
  drawPhone(pen, PHONE)
  const coin = time < 0.9 ? 1 : 1 - progress(time, 0.9, 2.2)
  drawCoin(pen, { x: PHONE.x, y: PHONE.y, radius: 86, part: coin })
  drawKey(pen, { x: PHONE.x, y: PHONE.y - 90, length: 250, turn: 90, part: progress(time, 1.6, 3.7) })
}

const ROWS = [3, 5, 2, 4, 1, 3]
const OURS = 1
const THEIRS = 4
const LEDGER = { left: 560, right: 1180, top: 96, pitch: 88 }

function coinPlace(row: number, index: number): Point {
  return { x: LEDGER.left + 170 + index * 66, y: LEDGER.top + row * LEDGER.pitch }
}

/** The coins are rows of a public list; the key reaches its own row, and one coin moves to another. */
function entriesOnTheChain(pen: CanvasRenderingContext2D, time: number): void {
  const aside = progress(time, 0.6, 1.4)
  const phone = { ...PHONE, x: mix(PHONE.x, 250, aside) }
  const sent = progress(time, 3, 4.1)
  ROWS.forEach((coins, row) =>
    drawRow(pen, { row, coins, shown: progress(time, 0.9 + row * 0.12, 1.6 + row * 0.12), sent }),
  )
  const reach = progress(time, 2, 2.9)
  const key = { x: phone.x, y: phone.y - 90 }
  const own = { x: LEDGER.left - 8, y: LEDGER.top + OURS * LEDGER.pitch }
  drawLine(
    pen,
    [{ x: phone.x + 135, y: own.y + 30 }, { x: 450, y: own.y + 30 }, { x: 500, y: own.y }, own],
    reach,
    { ink: COPPER, weight: 2 },
  )
  drawPhone(pen, phone)
  drawKey(pen, { ...key, length: 250, turn: 90 })
  if (sent > 0)
    drawCoin(pen, { ...alongBow(coinPlace(OURS, 4), coinPlace(THEIRS, 1), sent, -110), radius: 24 })
}

function drawRow(
  pen: CanvasRenderingContext2D,
  { row, coins, shown, sent }: { row: number; coins: number; shown: number; sent: number },
): void {
  if (shown <= 0) return
  const isOurs = row === OURS
  const y = LEDGER.top + row * LEDGER.pitch
  const size = { width: (LEDGER.right - LEDGER.left) * shown, height: 72, radius: 6 }
  const centre = { x: LEDGER.left + size.width / 2, y }
  drawCard(pen, centre, size, { ink: isOurs ? COPPER : LINE, weight: isOurs ? 2 : 1.4 })
  drawSeal(pen, {
    x: LEDGER.left + 48,
    y,
    name: `account ${row}`,
    radius: 25,
    ink: isOurs ? COPPER : QUIET,
    part: shown,
    strength: isOurs ? 1 : 0.8,
  })
  if (shown < 0.9) return
  const stays = isOurs && sent > 0 ? coins - 1 : coins
  for (let index = 0; index < stays; index++) {
    const place = coinPlace(row, index)
    if (isOurs) drawCoin(pen, { ...place, radius: 24 })
    else drawCoin(pen, { ...place, radius: 24, ink: QUIET, strength: 0.55 })
  }
  fillDisc(pen, { x: LEDGER.left + 104, y }, 3, { ink: PAPER, strength: 0.6 })
}

const pick = randomNumbersFrom('chance')
const GRAINS = Array.from({ length: 110 }, () => ({
  x: PHONE.x - 105 + pick(210),
  y: PHONE.y - 190 + pick(390),
  to: pick(360),
}))

/** Grains of chance inside the phone gather into a key; lines from outside stop at its edge. */
function madeOnYourDevice(pen: CanvasRenderingContext2D, time: number): void {
  for (const [index, degrees] of [70, 110, 250, 290].entries()) {
    const far = onCircle(PHONE, 560, degrees)
    const near = onCircle(PHONE, 205, degrees)
    const came = progress(time, 2.2 + index * 0.25, 3 + index * 0.25)
    drawLine(pen, [far, near], came, { ink: QUIET, strength: 0.6, weight: 1.6, dash: [8, 8] })
    const stopped = progress(time, 2.9 + index * 0.25, 3.6 + index * 0.25)
    if (stopped > 0) drawCircle(pen, near, 6 + 16 * stopped, { ink: QUIET, strength: 1 - stopped, weight: 2 })
    if (came >= 1)
      drawLine(pen, [onCircle(near, 16, degrees + 90), onCircle(near, 16, degrees - 90)], 1, {
        ink: PAPER,
        weight: 2.6,
      })
  }
  drawPhone(pen, PHONE)
  const bow = { x: PHONE.x, y: PHONE.y - 90 }
  for (const [index, grain] of GRAINS.entries()) {
    const gathered = progress(time, 0.5 + (index % 10) * 0.08, 1.7 + (index % 10) * 0.08)
    if (gathered >= 1) continue
    const drift = {
      x: grain.x + 6 * Math.sin(time * 1.3 + index),
      y: grain.y + 6 * Math.cos(time * 1.7 + index),
    }
    fillDisc(pen, between(drift, onCircle(bow, 78, grain.to), gathered), 2.6, { ink: COPPER, strength: 0.9 })
  }
  drawKey(pen, { ...bow, length: 250, turn: 90, part: progress(time, 1.4, 3.2) })
}

const BACKUP_SHEET = { x: 270, y: 312, width: 350 }
const KNOT = { x: 700, y: 312 }
const KEYS = [110, 246, 380, 514]

/** Twenty-four words run together into one knot, and every key of the wallet runs out of it. */
function wordsAreTheBackup(pen: CanvasRenderingContext2D, time: number): void {
  drawSheet(pen, { ...BACKUP_SHEET, written: progress(time, 0.2, 1.7) * WORDS })
  for (let word = 0; word < WORDS; word++) {
    const [, end] = wordLine(BACKUP_SHEET, word)
    const part = progress(time, 1.3 + word * 0.03, 2.3 + word * 0.03)
    drawLine(pen, curve({ x: end.x + 8, y: end.y }, KNOT), part, { ink: QUIET, strength: 0.42, weight: 1.2 })
  }
  KEYS.forEach((y, index) => {
    const key = { x: 970, y }
    const part = progress(time, 2.6 + index * 0.15, 3.3 + index * 0.15)
    drawLine(pen, curve(KNOT, { x: key.x - 58, y }), part, { ink: COPPER, strength: 0.8, weight: 1.6 })
    drawKey(pen, { ...key, length: 180, part: progress(time, 3 + index * 0.15, 4.1 + index * 0.15) })
  })
  drawKnot(pen, progress(time, 2.1, 2.9))
}

function drawKnot(pen: CanvasRenderingContext2D, part: number): void {
  drawKey(pen, { ...KNOT, length: 90, part: Math.min(part, 0.76) })
}

/** An S-shaped path between two points, level at both ends. */
function curve(from: { x: number; y: number }, to: { x: number; y: number }) {
  return Array.from({ length: 25 }, (_, index) => {
    const part = index / 24
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * progress(part, 0, 1) }
  })
}

const COVER = { x: 640, y: 312, width: 330, height: 450 }

/** The words are written on a sheet, and the sheet slides into a cover like a passport's. */
function onPaper(pen: CanvasRenderingContext2D, time: number): void {
  const kept = progress(time, 2.4, 3.2)
  const sheet = { x: COVER.x, y: 312, width: mix(340, 290, kept) }
  const written = Math.min(WORDS, Math.max(0, ((time - 0.3) / 2.1) * WORDS))
  const cover = progress(time, 2.5, 3.3)
  if (cover > 0) drawCard(pen, COVER, { ...COVER, radius: 14 }, { ink: COPPER, strength: cover, weight: 2 })
  drawSheet(pen, { ...sheet, written })
  if (written > 0 && written < WORDS) {
    const [from, to] = wordLine(sheet, Math.floor(written))
    const tip = { x: mix(from.x, to.x, written % 1), y: from.y }
    pen.fillStyle = translucent(PAPER, 0.2)
    pen.beginPath()
    pen.arc(tip.x, tip.y, 9, 0, 2 * Math.PI)
    pen.fill()
    fillDisc(pen, tip, 3, { ink: PAPER })
    drawLine(pen, [tip, { x: tip.x + 46, y: tip.y - 64 }], 1, { ink: QUIET, weight: 5 })
  }
  if (kept > 0) drawClosedCover(pen, cover, progress(time, 3.3, 4.2))
}

/** The front of the cover: it comes down over the sheet from the left, where it is sewn. */
function drawClosedCover(pen: CanvasRenderingContext2D, strength: number, closed: number): void {
  if (closed <= 0) return
  const width = COVER.width * closed
  const centre = { x: COVER.x - COVER.width / 2 + width / 2, y: COVER.y }
  pen.save()
  pen.beginPath()
  pen.rect(centre.x - width / 2 - 2, COVER.y - COVER.height / 2 - 2, width + 4, COVER.height + 4)
  pen.clip()
  drawCard(pen, COVER, { ...COVER, radius: 14 }, { ink: COPPER, strength, weight: 2.4 })
  const inset = { width: COVER.width - 26, height: COVER.height - 26, radius: 8, isHollow: true }
  drawCard(pen, COVER, inset, { ink: COPPER, strength: 0.4, weight: 1.2 })
  engrave(pen, keyBow, { x: COVER.x, y: COVER.y - 30, scale: 0.86, ink: COPPER })
  const title = [
    { x: COVER.x - 60, y: COVER.y + 130 },
    { x: COVER.x + 60, y: COVER.y + 130 },
  ]
  drawLine(pen, title, 1, { ink: COPPER, strength: 0.8, weight: 3 })
  pen.restore()
}

const Y = 312
const COLUMNS = [270, 640, 1010]
const stroke = { ink: PAPER, weight: 2.2 }

/** A camera, a cloud and a message, each with words in it, and each struck out. */
function keptToYourself(pen: CanvasRenderingContext2D, time: number): void {
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

const LOST = { x: 230, y: 312, height: 480 }
const FOUND = { x: 1050, y: 312, height: 480 }
const RESTORED_SHEET = { x: 640, y: 312, width: 310 }

/** A phone is gone; the words fly from the paper into a new one, and the same key is cut there. */
function wordsBringItBack(pen: CanvasRenderingContext2D, time: number): void {
  const gone = progress(time, 0.8, 2)
  placed(pen, { x: 0, y: 0, strength: 1 - 0.75 * gone }, () => {
    drawPhone(pen, { ...LOST, dash: gone > 0.3 ? [7, 9] : [] })
    drawKey(pen, { x: LOST.x, y: LOST.y - 85, length: 235, turn: 90, part: 1 - progress(time, 0.8, 2.2) })
  })
  drawSheet(pen, RESTORED_SHEET)
  drawPhone(pen, FOUND)
  const bow = { x: FOUND.x, y: FOUND.y - 85 }
  for (let word = 0; word < WORDS; word++) {
    const flown = progress(time, 1.9 + word * 0.05, 2.9 + word * 0.05)
    if (flown <= 0 || flown >= 1) continue
    const [from, to] = wordLine(RESTORED_SHEET, word)
    const goal = onCircle(bow, 60, word * 15)
    const ends = [between(from, goal, flown), between(to, goal, flown ** 1.3)]
    drawLine(pen, ends, 1, { ink: flown > 0.5 ? COPPER : PAPER, weight: 3 })
  }
  drawKey(pen, { ...bow, length: 235, turn: 90, part: progress(time, 2.5, 4.5) })
}

const OWNER = { x: 290, y: 390, size: 120 }
const OTHER = { x: 990, y: 390, size: 120 }
const COINS = 5

/** The sheet goes to someone else, and the coins follow it. */
function whoeverHasTheWords(pen: CanvasRenderingContext2D, time: number): void {
  const handed = progress(time, 0.8, 2)
  const lost = progress(time, 3.4, 4.2)
  drawPerson(pen, { ...OWNER, strength: 1 - 0.6 * lost })
  drawPerson(pen, { ...OTHER, strength: 0.45 + 0.55 * handed })
  drawSheet(pen, { x: mix(OWNER.x + 230, OTHER.x - 230, handed), y: 270, width: 184 })
  for (let index = 0; index < COINS; index++) {
    const gone = progress(time, 2.2 + index * 0.22, 3.2 + index * 0.22)
    const x = (index - 2) * 76
    drawCoin(pen, { x: mix(OWNER.x + x, OTHER.x + x, gone), y: 500, radius: 33, turn: gone * 360 })
  }
}

const LOST_SHEET = { x: 290, y: 312, width: 300 }
const VAULT = { x: 1000, y: 312, radius: 170 }

/** The writing fades from the sheet, the key comes undone, and the coins stay where nobody can reach them. */
function nobodyCanHelp(pen: CanvasRenderingContext2D, time: number): void {
  const erased = progress(time, 0.7, 2.2)
  drawSheet(pen, { ...LOST_SHEET, written: WORDS * (1 - erased), strength: 1 - 0.3 * erased })
  drawKey(pen, { x: 560, y: 312, length: 230, part: 1 - progress(time, 1.7, 3.2) })
  const closed = progress(time, 2.8, 4.1)
  placed(pen, { x: 0, y: 0, strength: 1 - 0.5 * closed }, () => {
    for (const [x, y] of [
      [-46, 26],
      [46, 26],
      [0, -52],
    ] as const) {
      drawCoin(pen, { x: VAULT.x + x, y: VAULT.y + y, radius: 42 })
    }
  })
  drawCircle(pen, VAULT, VAULT.radius, { ink: QUIET, weight: 2 })
  drawCircle(pen, VAULT, VAULT.radius + 16, { ink: COPPER, weight: 3, part: closed })
  drawCircle(pen, VAULT, VAULT.radius + 28, { ink: QUIET, strength: 0.6 * closed, weight: 1.2 })
}
