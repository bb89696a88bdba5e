type Point = readonly [x: number, y: number]

export type SynergyEdge = { from: string; to: string }
export type PlacedNode = {
  x: number
  y: number
  labelX: number
  labelY: number
  anchor: 'start' | 'middle' | 'end'
}
export type PlacedEdge = {
  kind: 'spoke' | 'arc' | 'bow'
  line: string
  /** The same line read from left to right, so that no label stands on its head. */
  labelLine: string
  isLabelBelow: boolean
}

/** The drawing's own units. */
export const drawing = { width: 930, height: 750, rim: 288, core: 76, node: 22 }

const centre: Point = [drawing.width / 2, drawing.height / 2]
const DEGREE = Math.PI / 180
/** Room between a line's end and the node it belongs to. */
const gap = drawing.node + 8
/** Half the distance between two lines of opposite direction. */
const twinDistance = 8

const around = (angle: number, radius: number): Point => [
  centre[0] + radius * Math.cos(angle * DEGREE),
  centre[1] + radius * Math.sin(angle * DEGREE),
]
const round = (value: number): number => Math.round(value * 10) / 10
const write = ([x, y]: Point): string => `${round(x)} ${round(y)}`
const isUpperHalf = (angle: number): boolean => Math.sin(angle * DEGREE) <= 0.001

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
  const place = (edge: SynergyEdge): PlacedEdge => {
    if (edge.from === core) return placeSpoke(angleOf(edge.to), false, hasTwin(edge))
    if (edge.to === core) return placeSpoke(angleOf(edge.from), true, hasTwin(edge))
    const from = angleOf(edge.from)
    const turn = shortestTurn(from, angleOf(edge.to))
    return Math.abs(turn) < step + 1 ? placeArc(from, turn) : placeBow(from, turn)
  }
  return {
    nodes: ids.map((id) => (id === core ? placeCore() : placeOnRim(angleOf(id)))),
    edges: edges.map(place),
  }
}

/** Degrees from one direction to another, clockwise positive, at most half a turn. */
const shortestTurn = (from: number, to: number): number => ((((to - from + 180) % 360) + 360) % 360) - 180

const placeCore = (): PlacedNode => ({
  x: centre[0],
  y: centre[1],
  labelX: centre[0],
  labelY: centre[1],
  anchor: 'middle',
})

function placeOnRim(angle: number): PlacedNode {
  const [x, y] = around(angle, drawing.rim)
  const [across, down] = [Math.cos(angle * DEGREE), Math.sin(angle * DEGREE)]
  const isBeside = Math.abs(across) > 0.5
  const away = drawing.node + 14
  return {
    x: round(x),
    y: round(y),
    labelX: round(isBeside ? x + Math.sign(across) * away : x),
    labelY: round(isBeside ? y : y + Math.sign(down) * (away + 6)),
    anchor: isBeside ? (across > 0 ? 'start' : 'end') : 'middle',
  }
}

function placeSpoke(angle: number, isInward: boolean, hasTwin: boolean): PlacedEdge {
  // Clockwise of the spoke for one direction, anticlockwise for the other.
  const aside = hasTwin ? (isInward ? -twinDistance : twinDistance) : 0
  const [inner, outer] = [drawing.core + 9, drawing.rim - gap].map((radius): string => {
    const [x, y] = around(angle, radius)
    return write([x - aside * Math.sin(angle * DEGREE), y + aside * Math.cos(angle * DEGREE)])
  })
  const isRightwards = Math.cos(angle * DEGREE) >= 0
  const outwards = `M${inner}L${outer}`
  const inwards = `M${outer}L${inner}`
  return {
    kind: 'spoke',
    line: isInward ? inwards : outwards,
    labelLine: isRightwards ? outwards : inwards,
    // Below on the screen is clockwise of a spoke to the right and anticlockwise of one to the left.
    isLabelBelow: hasTwin && aside > 0 === isRightwards,
  }
}

function placeArc(from: number, turn: number): PlacedEdge {
  const room = (Math.sign(turn) * gap) / drawing.rim / DEGREE
  const [start, end] = [from + room, from + turn - room]
  const isUpper = isUpperHalf(from + turn / 2)
  const line = arc(start, end)
  // From left to right is clockwise above the middle and anticlockwise below it.
  const labelLine = isUpper === turn > 0 ? line : arc(end, start)
  return { kind: 'arc', line, labelLine, isLabelBelow: !isUpper }
}

function arc(from: number, to: number): string {
  const { rim } = drawing
  return `M${write(around(from, rim))}A${rim} ${rim} 0 0 ${to > from ? 1 : 0} ${write(around(to, rim))}`
}

/** Bends round the middle at a distance. */
function placeBow(from: number, turn: number): PlacedEdge {
  const bend = Math.sign(turn) * 7
  const radius = drawing.rim - gap + 3
  const [start, end] = [around(from + bend, radius), around(from + turn - bend, radius)]
  const handle = write(around(from + turn / 2, drawing.rim * 0.74))
  const line = `M${write(start)}Q${handle} ${write(end)}`
  const isRightwards = start[0] <= end[0]
  return {
    kind: 'bow',
    line,
    labelLine: isRightwards ? line : `M${write(end)}Q${handle} ${write(start)}`,
    isLabelBelow: !isUpperHalf(from + turn / 2),
  }
}
