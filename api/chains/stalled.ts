import { HOUR, MINUTE } from '#contract/durations.ts'
import type { ChainSetting } from '../read-chains.ts'

/**
 * How old the end of a chain may be on networks that never rest: blocks come every ten minutes, told by the median time of eleven,
 * and every twelve seconds. Elsewhere blocks may come as they please.
 */
const restMax: Readonly<Record<string, number>> = { 'bitcoin main': 4 * HOUR, 'ethereum 1': 10 * MINUTE }

/**
 * Whether the network has gone on without the node. One that lost its peers calls itself synchronised all the same, and knows nothing of
 * what was paid since.
 */
export const isStalled = ({ kind, network }: ChainSetting, { at }: { at: Date }): boolean =>
  Date.now() - at.getTime() > (restMax[`${kind} ${network}`] ?? Infinity)
