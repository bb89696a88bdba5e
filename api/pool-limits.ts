import { SECOND } from '#contract/durations.ts'

/** How many connections a process may have, and in milliseconds how long it waits for what; those of the settings. */
export type PoolLimits = {
  connections: number
  /** A request that waits longer than this for a connection is answered `unavailable`. */
  connect: number
  statement: number
  /** After which a connection that nobody needs is closed. */
  idle: number
}
/** Instances share a server of 100 connections. */
export const poolLimitsDefault: PoolLimits = {
  connections: 20,
  connect: 2 * SECOND,
  statement: 5 * SECOND,
  idle: 10 * SECOND,
}
