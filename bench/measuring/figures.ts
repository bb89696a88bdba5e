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
