/**
 * The brand's rose engine: woven line bands from a few numbers, as on coins and banknotes.
 *
 * One line runs `turns` times around the center and swings `lobes` times between two edges before it closes. The edges
 * themselves can be wavy. Lengths are in drawing units, the center is at 0,0, and angles are in degrees.
 */
export type Guilloche = {
  /** Radius of the inner edge. */
  inner: number
  /** Radius of the outer edge. */
  outer: number
  /** Swings between the edges over the whole line. Must share no divisor with `turns`. */
  lobes: number
  /** Turns around the center before the line closes; more turns give a denser band. Default 1. */
  turns?: number
  /** Bumps along each edge. With `lobes` a multiple of it, the figure has this many equal sectors. Default 0. */
  wave?: number
  /** How deep the bumps cut into the band, at the outer and at the inner edge. Default 0. */
  outerDepth?: number
  innerDepth?: number
  /** How far the line runs ahead in each swing: 0 draws plain waves, 10 leaning petals, 40 loops. Default 0. */
  lean?: number
  /** Where in its swing the line starts. 180 swaps peaks and valleys. Default 0. */
  phase?: number
  /** How many times the line is repeated, each `step` further in and turned by `twist`. Defaults 1, 0, 0. */
  rings?: number
  step?: number
  twist?: number
  /**
   * Curve segments per lobe, a whole number: 2 is coarse, 4 looks smooth, 6 is exact. A line with fewer lobes than
   * bumps (`wave` times `turns`) needs more, or it skips some of them. Default 4.
   */
  precision?: number
}

const CIRCLE = 2 * Math.PI
const DEGREE = CIRCLE / 360

function pointAt(parameters: Guilloche, ring: number, angle: number): [x: number, y: number] {
  const { inner, outer, lobes, turns = 1, wave = 0, outerDepth = 0, innerDepth = 0 } = parameters
  const { lean = 0, phase = 0, step = 0, twist = 0 } = parameters
  const swing = (lobes / turns) * angle + phase * DEGREE
  const bump = (1 - Math.cos(wave * angle)) / 2
  const high = outer - ring * step - outerDepth * bump
  const low = inner - ring * step + innerDepth * bump
  const radius = (high + low + (high - low) * Math.cos(swing)) / 2
  const turned = angle + (lean * Math.sin(swing) + ring * twist) * DEGREE
  return [radius * Math.cos(turned), radius * Math.sin(turned)]
}

/** The figure as closed polygons, one flat array [x, y, x, y, …] per ring, for canvases and for measuring. */
export function guillochePoints(parameters: Guilloche, pointsPerLobe = 16): number[][] {
  const count = parameters.lobes * pointsPerLobe
  const angle = (CIRCLE * (parameters.turns ?? 1)) / count
  return Array.from({ length: parameters.rings ?? 1 }, (_, ring) =>
    Array.from({ length: count }, (_, index) => pointAt(parameters, ring, index * angle)).flat(),
  )
}

/**
 * Writes whole tenths as the shortest SVG numbers, with a separator only where neither a sign nor a point acts as one.
 */
function write(tenths: number[]): string {
  let previous = ''
  return tenths
    .map((value) => {
      const text = String(value / 10).replace(/^(-?)0\./, '$1.')
      const isJoined = !previous || text[0] === '-' || (text[0] === '.' && previous.includes('.'))
      previous = text
      return isJoined ? text : ' ' + text
    })
    .join('')
}

/**
 * The figure as SVG path data: smooth closed curves with coordinates rounded to 0.1. Rounding errors are carried along
 * in whole tenths, so that every line closes exactly and every machine writes the same text.
 */
export function guilloche(parameters: Guilloche): string {
  const { lobes, turns = 1, precision = 4 } = parameters
  const count = lobes * precision
  const piece = (CIRCLE * turns) / count
  const nudge = piece / 64
  const tenths = (value: number) => Math.round(value * 10)
  let path = ''
  for (let ring = 0; ring < (parameters.rings ?? 1); ring++) {
    const start = pointAt(parameters, ring, 0).map(tenths)
    let from = start
    // Hermite segments on an even grid: each first control point mirrors the previous one, as the `s` command assumes.
    const pieces: number[] = []
    for (let index = 1; index <= count; index++) {
      const angle = (index % count) * piece
      const before = pointAt(parameters, ring, angle - nudge)
      const after = pointAt(parameters, ring, angle + nudge)
      const [x, y] = from as [number, number]
      const end = pointAt(parameters, ring, angle).map(tenths) as [number, number]
      const reach = (axis: 0 | 1) => tenths(((after[axis] - before[axis]) * 32) / 3)
      pieces.push(end[0] - reach(0) - x, end[1] - reach(1) - y, end[0] - x, end[1] - y)
      from = end
    }
    // The first segment has no previous one to mirror; by symmetry, it mirrors the last.
    const opening = [pieces.at(-2)! - pieces.at(-4)!, pieces.at(-1)! - pieces.at(-3)!]
    path += `M${write(start)}c${write([...opening, ...pieces.slice(0, 4)])}s${write(pieces.slice(4))}z`
  }
  return path
}

/** Mulberry32 over an FNV-1a hash. Integer arithmetic makes a seed produce the same numbers on every machine. */
export function randomNumbersFrom(seed: string): (below: number) => number {
  let state = 0x811c9dc5
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Returns an outer band and a core of radius 100 that are specific to a name: the same name gives the same figure. */
export function rosetteFor(seed: string): [band: Guilloche, core: Guilloche] {
  const pick = randomNumbersFrom(seed)
  const wave = 5 + pick(6)
  const repeats = 3 + pick(3)
  const inner = 34 + pick(22)
  const turns = coprimeBelow(wave * repeats, 5 + pick(5))
  const band: Guilloche = {
    inner,
    outer: 96,
    wave,
    lobes: wave * repeats,
    turns,
    outerDepth: 6 + pick(16),
    innerDepth: pick(12),
    lean: pick(3) * 5,
    // The line passes `wave * turns` bumps in `wave * repeats` lobes.
    precision: 2 * Math.ceil(turns / repeats),
  }
  const petals = 5 + pick(8)
  const core: Guilloche = {
    inner: 4 + pick(8),
    outer: inner - 5 - pick(6),
    lobes: petals,
    turns: coprimeBelow(petals, 2 + pick(4)),
    lean: pick(3) * 8,
  }
  return [band, core]
}

/**
 * Returns the number of turns closest to `start`, counting down, with which a line of so many lobes closes only at the
 * end.
 */
function coprimeBelow(lobes: number, start: number): number {
  const divisor = (a: number, b: number): number => (b ? divisor(b, a % b) : a)
  return divisor(lobes, start) === 1 ? start : coprimeBelow(lobes, start - 1)
}
