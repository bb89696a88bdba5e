import { story } from '../drawing/story.ts'
import { type Guilloche, randomNumbersFrom } from '../../../web/kernel/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { VERDIGRIS, GROUND, PAPER, QUIET, COPPER } from '../drawing/ink.ts'
import { drawCircle, drawLine, fillDisc, drawCard } from '../drawing/line.ts'
import { type Point, progress, between, mix, alongBow, onCircle, placed } from '../drawing/motion.ts'
import { drawCampaignMedallion, drawDaoMedallion, drawTokenMedallion, drawProject } from './medallions.ts'
import { drawCoin } from '../props/coin.ts'
import { drawSeal } from '../props/seal.ts'
import { drawTick, drawLens } from '../props/signs.ts'
import { drawPerson } from '../props/person.ts'
import { drawBlock, drawTie } from '../props/block.ts'

export const film = story(
  [anyProgram, threeKinds, aToken, aCampaign, goalReached, goalMissed, aDao, fewerThings, lookedUp],
  { secondsEach: 5, posterAt: 9.5, backdrop, joined: [goalReached] },
)

const field: Guilloche = {
  inner: 330,
  outer: 560,
  lobes: 220,
  turns: 19,
  wave: 20,
  outerDepth: 50,
  innerDepth: 30,
}

/** A faint rosette that stands still behind every scene. */
function backdrop(pen: CanvasRenderingContext2D): void {
  engrave(pen, field, { x: 640, y: 860, ink: VERDIGRIS, strength: 0.12, weight: 1 })
}

const pick = randomNumbersFrom('tangle')
const KNOTS: Point[] = Array.from({ length: 34 }, (_, index) => ({
  x: 190 + (index % 9) * 112 + pick(70),
  y: 90 + Math.floor(index / 9) * 120 + pick(80),
}))
const TIES = Array.from({ length: 62 }, (_, index) => ({
  from: index % KNOTS.length,
  to: (index + 1 + pick(12)) % KNOTS.length,
  isBroken: index % 11 === 5,
}))

/** A net in which everything is connected to everything; some connections are broken. */
function drawTangle(pen: CanvasRenderingContext2D, grown: number, torn: number): void {
  TIES.forEach(({ from, to, isBroken }, index) => {
    const part = Math.min(1, Math.max(0, grown * 1.8 - (index / TIES.length) * 0.8))
    const ends = [KNOTS[from]!, KNOTS[to]!]
    drawLine(pen, ends, part, { ink: QUIET, strength: 0.42, weight: 1.3 })
    if (!isBroken || torn <= 0 || part < 1) return
    const middle = { x: (ends[0]!.x + ends[1]!.x) / 2, y: (ends[0]!.y + ends[1]!.y) / 2 }
    fillDisc(pen, middle, 15 * torn, { ink: GROUND })
    for (const sign of [-1, 1]) {
      const stroke = [
        { x: middle.x - 8, y: middle.y - 8 * sign },
        { x: middle.x + 8, y: middle.y + 8 * sign },
      ]
      drawLine(pen, stroke, torn, { ink: PAPER, weight: 2.6 })
    }
  })
  KNOTS.forEach((knot, index) => {
    const shown = Math.min(1, Math.max(0, grown * 2 - index / KNOTS.length))
    fillDisc(pen, knot, 13 * shown, { ink: GROUND })
    drawCircle(pen, knot, 13 * shown, { ink: PAPER, strength: 0.75, weight: 1.6 })
    fillDisc(pen, knot, 4 * shown, { ink: PAPER, strength: 0.75 })
  })
}

function anyProgram(pen: CanvasRenderingContext2D, time: number): void {
  drawTangle(pen, progress(time, 0.1, 2.6), progress(time, 3, 3.6))
}

const KINDS = [
  { x: 240, y: 312, draw: drawTokenMedallion },
  { x: 640, y: 312, draw: drawCampaignMedallion },
  { x: 1040, y: 312, draw: drawDaoMedallion },
]

/** The three kinds of contract, one after another. */
function threeKinds(pen: CanvasRenderingContext2D, time: number): void {
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

const SLIP = { x: 320, y: 312, width: 460, height: 330 }
const COINS = 24

/** One slip with three lines (name, ticker, and number), followed by a limited number of coins. */
function aToken(pen: CanvasRenderingContext2D, time: number): void {
  drawCard(pen, SLIP, { ...SLIP, radius: 12 }, { ink: QUIET, strength: 0.8, weight: 1.8 })
  const left = SLIP.x - 190
  drawField(pen, left, 212, progress(time, 0.4, 0.9))
  drawLine(
    pen,
    [
      { x: left + 30, y: 212 },
      { x: left + 210, y: 212 },
    ],
    progress(time, 0.6, 1.3),
    { ink: PAPER, weight: 5 },
  )
  drawField(pen, left, 312, progress(time, 1, 1.5))
  for (let index = 0; index < 3; index++) {
    const shown = progress(time, 1.2 + index * 0.15, 1.5 + index * 0.15)
    if (shown > 0)
      drawCard(
        pen,
        { x: left + 46 + index * 42, y: 312 },
        { width: 30, height: 30 * shown, radius: 4 },
        { ink: PAPER, weight: 2.4 },
      )
  }
  drawField(pen, left, 412, progress(time, 1.6, 2.1))
  for (let index = 0; index < 8; index++) {
    const shown = progress(time, 1.8 + index * 0.07, 2.1 + index * 0.07)
    fillDisc(pen, { x: left + 38 + index * 22, y: 412 }, 6 * shown, { ink: PAPER })
  }
  drawSeal(pen, { x: SLIP.x + 140, y: 312, name: 'token', radius: 74, part: progress(time, 1, 2.4) })
  for (let index = 0; index < COINS; index++) {
    const part = progress(time, 2.4 + index * 0.05, 3.1 + index * 0.05)
    if (part <= 0) continue
    const place = { x: 740 + (index % 6) * 84, y: 186 + Math.floor(index / 6) * 84 }
    drawCoin(pen, { ...between({ x: SLIP.x + 140, y: 312 }, place, part), radius: mix(10, 34, part) })
  }
}

function drawField(pen: CanvasRenderingContext2D, x: number, y: number, shown: number): void {
  drawLine(
    pen,
    [
      { x, y: y - 14 },
      { x, y: y + 14 },
    ],
    shown,
    { ink: COPPER, weight: 4 },
  )
}

const GIVEN = 15

const VESSEL = { x: 360, bottom: 530, top: 110, width: 330, goal: 240 }
const CLOCK = { x: 920, y: 256, radius: 150 }
const COLUMNS = 5
const COIN = 29
const GOAL_COINS = 25

/** Where a coin comes to rest in the vessel; the goal is five full rows. */
function restingPlace(index: number): Point {
  const x = VESSEL.x + ((index % COLUMNS) - 2) * 61
  return { x, y: VESSEL.bottom - COIN - 4 - Math.floor(index / COLUMNS) * 58 }
}

function drawVessel(pen: CanvasRenderingContext2D, isReached: boolean): void {
  const { x, bottom, top, width, goal } = VESSEL
  const sides = [
    { x: x - width / 2, y: top },
    { x: x - width / 2, y: bottom },
    { x: x + width / 2, y: bottom },
    { x: x + width / 2, y: top },
  ]
  drawLine(pen, sides, 1, { ink: PAPER, weight: 2.4 })
  const mark = [
    { x: x - width / 2 - 34, y: goal },
    { x: x + width / 2 + 34, y: goal },
  ]
  drawLine(pen, mark, 1, { ink: isReached ? VERDIGRIS : COPPER, weight: 2.6, dash: isReached ? [] : [10, 9] })
}

function drawRestingCoin(pen: CanvasRenderingContext2D, at: Point): void {
  drawCoin(pen, { ...at, radius: COIN })
}

/** The remaining time, as the lit part of a dial. */
function drawClock(pen: CanvasRenderingContext2D, left: number): void {
  for (let index = 0; index < 48; index++) {
    const isLeft = index / 48 < left
    const stroke = [
      onCircle(CLOCK, CLOCK.radius, index * 7.5),
      onCircle(CLOCK, CLOCK.radius - 26, index * 7.5),
    ]
    drawLine(pen, stroke, 1, { ink: isLeft ? PAPER : QUIET, strength: isLeft ? 1 : 0.25, weight: 2.6 })
  }
  drawCircle(pen, CLOCK, CLOCK.radius + 18, { ink: QUIET, strength: 0.6 })
  drawLine(pen, [CLOCK, onCircle(CLOCK, CLOCK.radius - 44, left * 360)], 1, { ink: COPPER, weight: 3 })
  drawCircle(pen, CLOCK, 6, { ink: COPPER, weight: 3 })
}

/** Coins fall into a vessel with a mark, while the time on a dial runs down. */
function aCampaign(pen: CanvasRenderingContext2D, time: number): void {
  drawClock(pen, 1 - 0.6 * progress(time, 0.6, 5))
  drawVessel(pen, false)
  for (let index = 0; index < GIVEN; index++) {
    const fallen = Math.min(1, Math.max(0, (time - 0.7 - index * 0.22) / 0.7)) ** 2
    if (fallen <= 0) continue
    const rest = restingPlace(index)
    drawRestingCoin(pen, { x: rest.x, y: mix(-50, rest.y, fallen) })
  }
}

const PROJECT = { x: 980, y: 300 }
const KEPT_COIN = 15

/** Where a coin lies in front of the project: two rows below the house. */
function keptPlace(index: number): Point {
  const row = index % 2
  return { x: PROJECT.x + (Math.floor(index / 2) - 6 + row / 2) * 34, y: PROJECT.y + 124 + row * 34 }
}

/** The coins rise above the mark and then all go to the project. */
function goalReached(pen: CanvasRenderingContext2D, time: number): void {
  const reached = progress(time, 1.7, 2)
  drawVessel(pen, reached > 0)
  drawProject(pen, PROJECT, progress(time, 0.6, 1.4))
  for (let index = 0; index < GOAL_COINS; index++) {
    const fallen =
      index < GIVEN ? 1 : Math.min(1, Math.max(0, (time - 0.5 - (index - GIVEN) * 0.1) / 0.5)) ** 2
    if (fallen <= 0) continue
    const rest = restingPlace(index)
    const leaves = 2.4 + (GOAL_COINS - index) * 0.05
    const gone = progress(time, leaves, leaves + 0.9)
    const at =
      gone > 0 ? alongBow(rest, keptPlace(index), gone, 130) : { x: rest.x, y: mix(-50, rest.y, fallen) }
    drawCoin(pen, { ...at, radius: mix(COIN, KEPT_COIN, gone) })
  }
  drawTick(pen, {
    x: VESSEL.x + VESSEL.width / 2 + 62,
    y: VESSEL.goal,
    radius: 24,
    part: progress(time, 1.8, 2.3),
  })
}

const GIVERS = [680, 800, 920, 1040, 1160].map((x) => ({ x, y: 540 }))
const RETURNED_COIN = 13

/** The time is up and the mark is not reached, so each giver's coins come back. */
function goalMissed(pen: CanvasRenderingContext2D, time: number): void {
  const up = progress(time, 0.5, 1.7)
  drawClock(pen, 0.4 * (1 - up))
  drawVessel(pen, false)
  GIVERS.forEach((giver, index) => {
    const shown = progress(time, 0.8 + index * 0.1, 1.4 + index * 0.1)
    if (shown > 0) drawPerson(pen, { ...giver, size: 48, strength: shown })
  })
  for (let index = 0; index < GIVEN; index++) {
    const giver = GIVERS[index % GIVERS.length]!
    const rest = restingPlace(index)
    const leaves = 1.9 + (GIVEN - index) * 0.09
    const back = progress(time, leaves, leaves + 0.9)
    const place = Math.floor(index / GIVERS.length) - 1
    const home = { x: giver.x + place * 30, y: giver.y + 26 }
    drawCoin(pen, { ...alongBow(rest, home, back, 150), radius: mix(COIN, RETURNED_COIN, back) })
  }
}

const CENTRE = { x: 470, y: 316 }
const MEMBERS = 9
const AGREEING = new Set([0, 1, 3, 4, 6, 8])
const PAYEE = { x: 1080, y: 380 }

/** Nine members vote; two thirds agree, and the contract pays. */
function aDao(pen: CanvasRenderingContext2D, time: number): void {
  const paid = progress(time, 3.5, 4.5)
  drawPerson(pen, { ...PAYEE, size: 84, strength: 0.6 + 0.4 * paid })
  for (let index = 0; index < MEMBERS; index++) drawMember(pen, index, time)
  const counted = progress(time, 1.2, 3.2) * (AGREEING.size / MEMBERS)
  drawCircle(pen, CENTRE, 104, { ink: QUIET, strength: 0.35, weight: 8 })
  drawCircle(pen, CENTRE, 104, { ink: VERDIGRIS, weight: 8, part: counted })
  drawLine(pen, [onCircle(CENTRE, 92, 180), onCircle(CENTRE, 118, 180)], 1, { ink: PAPER, weight: 3 })
  drawCoin(pen, { ...CENTRE, radius: 76, strength: 1 - 0.5 * paid })
  if (paid > 0) drawCoin(pen, { ...between(CENTRE, { x: PAYEE.x, y: PAYEE.y - 30 }, paid), radius: 40 })
}

function drawMember(pen: CanvasRenderingContext2D, index: number, time: number): void {
  const place = onCircle(CENTRE, 222, index * (360 / MEMBERS))
  const shown = progress(time, 0.3 + index * 0.06, 0.9 + index * 0.06)
  const agrees = AGREEING.has(index)
  const voted = progress(time, 1.2 + index * 0.2, 1.6 + index * 0.2)
  const inner = onCircle(CENTRE, 122, index * (360 / MEMBERS))
  if (agrees) drawLine(pen, [place, inner], voted, { ink: COPPER, strength: 0.9, weight: 2 })
  drawPerson(pen, {
    x: place.x,
    y: place.y + 36,
    size: 36,
    strength: shown * (agrees || voted === 0 ? 1 : 1 - 0.55 * voted),
  })
  if (agrees) drawTick(pen, { x: place.x + 38, y: place.y + 16, radius: 16, part: voted })
}

/** The net fades, and the three kinds of contract turn where it was. */
function fewerThings(pen: CanvasRenderingContext2D, time: number): void {
  const gone = progress(time, 0.8, 2.2)
  if (gone < 1) placed(pen, { x: 0, y: 0, strength: 1 - gone }, () => drawTangle(pen, 1, 1))
  KINDS.forEach(({ x, y, draw }, index) => {
    draw(pen, {
      x,
      y,
      scale: 1.22,
      part: progress(time, 1 + index * 0.2, 3 + index * 0.2),
      turn: 7 + time * 1.5,
    })
  })
}

const SIDE = 150
const PLACES = [-1, 0, 1, 2, 3, 4, 5, 6].map((index) => ({ x: 40 + index * 218, y: 312 }))
const LENS = 168

/** A lens moves along the chain. In the blocks where it stops, a contract can be read. */
function lookedUp(pen: CanvasRenderingContext2D, time: number): void {
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
