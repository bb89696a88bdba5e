type Point = readonly [x: number, y: number]

export type SynergyEdge = { from: string; to: string }
export type PlacedNode = {
  id: string
  x: number
  y: number
  labelX: number
  labelY: number
  anchor: 'start' | 'middle' | 'end'
}
export type PlacedEdge = {
  /** Path of the line, in the direction of the edge. */
  line: string
  /** Path that the label stands on, from left to right so that it never stands on its head. */
  labelLine: string
  kind: 'spoke' | 'rim' | 'chord'
}

/** The drawing's own units. */
export const drawing = { width: 940, height: 760, rim: 272, core: 76, node: 21 }

const centre: Point = [drawing.width / 2, drawing.height / 2]
const DEGREE = Math.PI / 180
/** Room between a line's end and the node it belongs to. */
const gap = drawing.node + 9
const labelRise = 8
/** How far the letters reach above their line: a label below a line stands that much lower. */
const letterHeight = 12

const around = (angle: number, radius: number): Point => [
  centre[0] + radius * Math.cos(angle * DEGREE),
  centre[1] + radius * Math.sin(angle * DEGREE),
]
const write = ([x, y]: Point): string => `${round(x)} ${round(y)}`
const round = (value: number): number => Math.round(value * 10) / 10

/**
 * Places the first node in the middle and the others on a rim around it, clockwise from the left. Edges run along the
 * rim between neighbours, as spokes to the middle, and as bows between the rest.
 */
export function layOutSynergy(
  ids: readonly string[],
  edges: readonly SynergyEdge[],
): { nodes: PlacedNode[]; edges: PlacedEdge[] } {
  const [core, ...rim] = ids
  const step = 360 / rim.length
  const angleOf = (id: string): number => 180 + step * rim.indexOf(id)
  const hasTwin = ({ from, to }: SynergyEdge): boolean =>
    edges.some((other) => other.from === to && other.to === from)
  return {
    nodes: ids.map((id) => (id === core ? placeCore(id) : placeOnRim(id, angleOf(id)))),
    edges: edges.map((edge) => {
      if (edge.from === core) return placeSpoke(angleOf(edge.to), false, hasTwin(edge))
      if (edge.to === core) return placeSpoke(angleOf(edge.from), true, hasTwin(edge))
      const turn = shortestTurn(angleOf(edge.from), angleOf(edge.to))
      return Math.abs(Math.abs(turn) - step) < 1
        ? placeOnRimEdge(angleOf(edge.from), turn)
        : placeChord(angleOf(edge.from), turn)
    }),
  }
}

/** Degrees from one direction to another, clockwise positive, at most half a turn. */
const shortestTurn = (from: number, to: number): number => ((((to - from + 180) % 360) + 360) % 360) - 180

const placeCore = (id: string): PlacedNode => ({
  id,
  x: centre[0],
  y: centre[1],
  labelX: centre[0],
  labelY: centre[1],
  anchor: 'middle',
})

function placeOnRim(id: string, angle: number): PlacedNode {
  const [x, y] = around(angle, drawing.rim)
  const [across, down] = [Math.cos(angle * DEGREE), Math.sin(angle * DEGREE)]
  const isBeside = Math.abs(across) > 0.5
  const away = drawing.node + 14
  return {
    id,
    x: round(x),
    y: round(y),
    labelX: round(isBeside ? x + Math.sign(across) * away : x),
    labelY: round(isBeside ? y : y + Math.sign(down) * (away + 4)),
    anchor: isBeside ? (across > 0 ? 'start' : 'end') : 'middle',
  }
}

function placeSpoke(angle: number, isInward: boolean, hasTwin: boolean): PlacedEdge {
  // Twins run side by side, each to the right of its own direction.
  const aside = hasTwin ? 7 * (isInward ? -1 : 1) : 0
  const shifted = (radius: number, more: number): Point => {
    const [x, y] = around(angle, radius)
    const [dx, dy] = [-Math.sin(angle * DEGREE), Math.cos(angle * DEGREE)]
    return [x + (aside + more) * dx, y + (aside + more) * dy]
  }
  const [inner, outer] = [drawing.core + 10, drawing.rim - gap]
  const ends = isInward ? [outer, inner] : [inner, outer]
  const isToTheRight = Math.cos(angle * DEGREE) >= 0
  // Text rises to the left of its direction; where the line's own side is below, the letters hang under it.
  const isBelow = hasTwin && aside > 0 === isToTheRight
  const rise = (isToTheRight ? 1 : -1) * (isBelow ? labelRise + letterHeight : -labelRise)
  const [first, last] = isToTheRight ? [inner, outer] : [outer, inner]
  return {
    kind: 'spoke',
    line: `M${ends.map((radius) => write(shifted(radius, 0))).join('L')}`,
    labelLine: `M${write(shifted(first, rise))}L${write(shifted(last, rise))}`,
  }
}

function placeOnRimEdge(from: number, turn: number): PlacedEdge {
  const way = Math.sign(turn)
  const room = gap / drawing.rim / DEGREE
  const isUpper = Math.sin((from + turn / 2) * DEGREE) <= 0.001
  const [start, end] = isUpper === turn > 0 ? [from, from + turn] : [from + turn, from]
  const radius = drawing.rim + labelRise + (isUpper ? 0 : letterHeight)
  return {
    kind: 'rim',
    line: arc(from + way * room, from + turn - way * room, drawing.rim, turn > 0),
    labelLine: arc(start, end, radius, isUpper),
  }
}

const arc = (from: number, to: number, radius: number, isClockwise: boolean): string =>
  `M${write(around(from, radius))}A${radius} ${radius} 0 0 ${isClockwise ? 1 : 0} ${write(around(to, radius))}`

/** Bows past the middle at a distance; the wider the turn, the further out its handle must lie. */
function placeChord(from: number, turn: number): PlacedEdge {
  const to = from + turn
  const handleRadius = drawing.rim * 0.72
  const handle = around(from + turn / 2, handleRadius)
  const bend = Math.sign(turn) * 13
  const ends = [around(from + bend / 2, drawing.rim - gap + 4), around(to - bend / 2, drawing.rim - gap + 4)]
  const [left, right] = ends[0]![0] <= ends[1]![0] ? [ends[0]!, ends[1]!] : [ends[1]!, ends[0]!]
  const isUpper = Math.sin((from + turn / 2) * DEGREE) <= 0
  const lifted = around(from + turn / 2, handleRadius + (isUpper ? 1 : 1) * labelRise * 2)
  return {
    kind: 'chord',
    line: `M${write(ends[0]!)}Q${write(handle)} ${write(ends[1]!)}`,
    labelLine: `M${write(left)}Q${write(lifted)} ${write(right)}`,
  }
}
