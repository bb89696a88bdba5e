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

type ReadNumber = (name: string, fallback: number, min: number, max: number) => number

export function readPoolLimits(wholeNumber: ReadNumber): PoolLimits {
  const { connections, connect, statement, idle } = poolLimitsDefault
  const seconds = (name: string, fallback: number, max: number) =>
    wholeNumber(name, fallback / SECOND, 1, max) * SECOND
  return {
    connections: wholeNumber('DATABASE_POOL_SIZE', connections, 2, 1000),
    connect: seconds('DATABASE_CONNECT_SECONDS', connect, 60),
    statement: seconds('DATABASE_STATEMENT_SECONDS', statement, 600),
    idle: seconds('DATABASE_IDLE_SECONDS', idle, 3600),
  }
}
