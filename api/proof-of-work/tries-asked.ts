/**
 * Average number of hashes. A slow phone computes about 70,000 per second, so it needs half a second at first and six
 * seconds at most. One in a hundred takes 1.7 times as long.
 */
export const triesAtFirst = 40_000
export const triesMax = 400_000

/** Requests beyond the soft limit that add the initial cost once more. */
const callsStep = 5
/** Clients beyond their limits at the same time that add the initial cost once more, for each of them. */
const clientsStep = 50

/**
 * Returns the number of tries. `over`: the client's requests beyond its soft limit, including this one; `clients`: the
 * number of clients beyond theirs.
 */
export const triesAsked = ({ over, clients }: { over: number; clients: number }): number =>
  Math.min(
    triesMax,
    Math.round(triesAtFirst * (1 + Math.max(0, over - 1) / callsStep) * (1 + clients / clientsStep)),
  )
