/** Returns the median. For an even count, it is the mean of the two middle numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/**
 * The work of one system in one turn. Processor times are in milliseconds, undefined if the machine does not report
 * them.
 */
export type Turn = {
  requests: number
  seconds: number
  /** Time of the server process. */
  program: number | undefined
  /** Time of the database. */
  database: number | undefined
  /** Time of the load generator. */
  generator: number | undefined
  /** Time of everything unrelated to the measurement. */
  others: number | undefined
}

export type Figures = {
  /** Requests per second: the median of all turns, and the slowest and fastest turn. */
  rate: number
  slowest: number
  fastest: number
  /** Milliseconds per request. */
  program: number | undefined
  database: number | undefined
}

export function figuresOf(turns: readonly Turn[]): Figures {
  const rates = turns.map(({ requests, seconds }) => requests / seconds)
  const perRequest = (time: 'program' | 'database') => {
    const known = turns.flatMap((turn) => (turn[time] === undefined ? [] : [turn[time] / turn.requests]))
    return known.length === 0 ? undefined : median(known)
  }
  return {
    rate: median(rates),
    slowest: Math.min(...rates),
    fastest: Math.max(...rates),
    program: perRequest('program'),
    database: perRequest('database'),
  }
}

/**
 * Requests per second relative to another system, turn by turn, because a disturbance affects both systems of a turn.
 */
export const ratioOf = (ours: readonly Turn[], theirs: readonly Turn[]): number =>
  median(
    ours.map(({ requests, seconds }, n) => {
      const other = theirs[n]!
      return requests / seconds / (other.requests / other.seconds)
    }),
  )

/** Processor time per request of another system relative to ours, program and database together. */
export function processorRatioOf(ours: Figures, theirs: Figures): number | undefined {
  if (ours.program === undefined || theirs.program === undefined) return undefined
  const own = ours.program + (ours.database ?? 0)
  return own > 0 ? (theirs.program + (theirs.database ?? 0)) / own : undefined
}

/**
 * The fraction of the machine that other processes used during the turns. They slow everything down, but not equally.
 */
export function partOfOthers(turns: readonly Turn[], processors: number): number | undefined {
  const known = turns.flatMap(({ others, seconds }) => (others === undefined ? [] : [{ others, seconds }]))
  if (known.length === 0) return undefined
  const sum = (of: 'others' | 'seconds') => known.reduce((total, each) => total + each[of], 0)
  return sum('others') / (1000 * processors * sum('seconds'))
}
