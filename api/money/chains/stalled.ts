import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { ChainSetting } from '../../platform/config/read-chains.ts'

/**
 * Maximum age of the tip, in milliseconds, on networks with regular blocks: every ten minutes with the median time of
 * eleven blocks, or every twelve seconds. Other networks may produce blocks at any pace.
 */
const restMax: Readonly<Record<string, number>> = { 'bitcoin main': 4 * HOUR, 'ethereum 1': 10 * MINUTE }

/**
 * Whether the network has moved on without the node. A node that lost its peers still claims to be in sync, but misses
 * new payments.
 */
export const isStalled = ({ kind, network }: ChainSetting, { at }: { at: Date }): boolean =>
  Date.now() - at.getTime() > (restMax[`${kind} ${network}`] ?? Infinity)
