/** The middle of the numbers; of an even count, the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** What one system did in one turn. Processor times are in milliseconds, undefined where the machine does not tell. */
export type Turn = {
  requests: number
  seconds: number
  /** Of the process that answers. */
  program: number | undefined
  /** Of the database. */
  database: number | undefined
  /** Of all that has nothing to do with the measurement. */
  others: number | undefined
}

export type Figures = {
  /** Requests in a second: the median of all turns, the slowest and the fastest of them. */
  rate: number
  slowest: number
  fastest: number
  /** Milliseconds for each request. */
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

/** Requests in a second against those of another, turn by turn: what disturbs a turn disturbs both. */
export const ratioOf = (ours: readonly Turn[], theirs: readonly Turn[]): number =>
  median(
    ours.map(({ requests, seconds }, n) => {
      const other = theirs[n]!
      return requests / seconds / (other.requests / other.seconds)
    }),
  )

/** Processor time of a request of another against that of ours, program and database together. */
export function processorRatioOf(ours: Figures, theirs: Figures): number | undefined {
  if (ours.program === undefined || theirs.program === undefined) return undefined
  const own = ours.program + (ours.database ?? 0)
  return own > 0 ? (theirs.program + (theirs.database ?? 0)) / own : undefined
}

/** What part of the machine others took during the turns: they slow everything down, but not by the same. */
export function partOfOthers(turns: readonly Turn[], processors: number): number | undefined {
  const known = turns.flatMap(({ others, seconds }) => (others === undefined ? [] : [{ others, seconds }]))
  if (known.length === 0) return undefined
  const sum = (of: 'others' | 'seconds') => known.reduce((total, each) => total + each[of], 0)
  return sum('others') / (1000 * processors * sum('seconds'))
}
