/**
 * Hashes, on average: for a slow phone, which makes some 70,000 in a second, half a second at first and six seconds at most. One
 * in a hundred takes 1.7 times as long.
 */
export const triesAtFirst = 40_000
export const triesMax = 400_000

/** So many more calls over the soft limit cost the client as much again. */
const callsStep = 5
/** And so many more clients over it at the same time, all of them. */
const clientsStep = 50

/** `over` are the calls of the client over its soft limit, this one with them; `clients` those that are over theirs. */
export const triesAsked = ({ over, clients }: { over: number; clients: number }): number =>
  Math.min(
    triesMax,
    Math.round(triesAtFirst * (1 + Math.max(0, over - 1) / callsStep) * (1 + clients / clientsStep)),
  )
