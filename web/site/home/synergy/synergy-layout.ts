import { drawing } from './synergy-drawing.ts'

type Point = readonly [x: number, y: number]

type NodePlace = { x: number; y: number; labelX: number; labelY: number; anchor: 'start' | 'middle' | 'end' }
type EdgePlace = {
  kind: 'spoke' | 'arc' | 'bow'
  line: string
  /** The reversed line, so that its label is not upside down. Null if `line` already runs from left to right. */
  labelLine: string | null
  isLabelBelow: boolean
}

const centre: Point = [drawing.width / 2, drawing.height / 2]
const DEGREE = Math.PI / 180
/** Gap between the end of a line and its node. */
const gap = drawing.node + 8
/** Half the distance between two lines in opposite directions. */
const twinDistance = 8

const around = (angle: number, radius: number): Point => [
  centre[0] + radius * Math.cos(angle * DEGREE),
  centre[1] + radius * Math.sin(angle * DEGREE),
]
const round = (value: number): number => Math.round(value * 10) / 10
const write = ([x, y]: Point): string => `${round(x)} ${round(y)}`
const isUpperHalf = (angle: number): boolean => Math.sin(angle * DEGREE) <= 0.001

/**
 * Places the first node in the center and the others on a rim around it, clockwise from the left. Edges run along the
 * rim between neighbors, as spokes to the center, and as arcs between all others.
 */
export function layOutSynergy<Node extends { id: string }, Edge extends { from: string; to: string }>(
  nodes: readonly Node[],
  edges: readonly Edge[],
): { nodes: (Node & NodePlace)[]; edges: (Edge & EdgePlace)[] } {
  const [core, ...rim] = nodes.map(({ id }) => id)
  const step = 360 / rim.length
  const angleOf = (id: string): number => 180 + step * rim.indexOf(id)
  const hasTwin = ({ from, to }: Edge): boolean =>
    edges.some((other) => other.from === to && other.to === from)
  const place = (edge: Edge): EdgePlace => {
    if (edge.from === core) return placeSpoke(angleOf(edge.to), false, hasTwin(edge))
    if (edge.to === core) return placeSpoke(angleOf(edge.from), true, hasTwin(edge))
    const from = angleOf(edge.from)
    const turn = shortestTurn(from, angleOf(edge.to))
    return Math.abs(turn) < step + 1 ? placeArc(from, turn) : placeBow(from, turn)
  }
  return {
    nodes: nodes.map((node) => ({
      ...node,
      ...(node.id === core ? placeCore() : placeOnRim(angleOf(node.id))),
    })),
    edges: edges.map((edge) => ({ ...edge, ...place(edge) })),
  }
}

export type SynergyLayout = ReturnType<
  typeof layOutSynergy<
    { id: string; label: string; text: string },
    { from: string; to: string; label: string }
  >
>

/** Degrees from one direction to another, positive clockwise, at most half a turn. */
const shortestTurn = (from: number, to: number): number => ((((to - from + 180) % 360) + 360) % 360) - 180

const placeCore = (): NodePlace => ({
  x: centre[0],
  y: centre[1],
  labelX: centre[0],
  labelY: centre[1],
  anchor: 'middle',
})

function placeOnRim(angle: number): NodePlace {
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

function placeSpoke(angle: number, isInward: boolean, hasTwin: boolean): EdgePlace {
  // Clockwise of the spoke for one direction, counterclockwise for the other.
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
    labelLine: isInward === isRightwards ? (isRightwards ? outwards : inwards) : null,
    // On the screen, below is clockwise of a spoke to the right and counterclockwise of a spoke to the left.
    isLabelBelow: hasTwin && aside > 0 === isRightwards,
  }
}

function placeArc(from: number, turn: number): EdgePlace {
  const room = (Math.sign(turn) * gap) / drawing.rim / DEGREE
  const [start, end] = [from + room, from + turn - room]
  const isUpper = isUpperHalf(from + turn / 2)
  const line = arc(start, end)
  // From left to right is clockwise above the center and counterclockwise below it.
  const labelLine = isUpper === turn > 0 ? null : arc(end, start)
  return { kind: 'arc', line, labelLine, isLabelBelow: !isUpper }
}

function arc(from: number, to: number): string {
  const { rim } = drawing
  return `M${write(around(from, rim))}A${rim} ${rim} 0 0 ${to > from ? 1 : 0} ${write(around(to, rim))}`
}

/** An arc around the center at a distance. */
function placeBow(from: number, turn: number): EdgePlace {
  const bend = Math.sign(turn) * 7
  const radius = drawing.rim - gap + 3
  const [start, end] = [around(from + bend, radius), around(from + turn - bend, radius)]
  const handle = write(around(from + turn / 2, drawing.rim * 0.74))
  const line = `M${write(start)}Q${handle} ${write(end)}`
  const isRightwards = start[0] <= end[0]
  return {
    kind: 'bow',
    line,
    labelLine: isRightwards ? null : `M${write(end)}Q${handle} ${write(start)}`,
    isLabelBelow: !isUpperHalf(from + turn / 2),
  }
}
