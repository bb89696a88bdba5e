import { SECOND } from '#contract/platform/durations.ts'

/** Maximum number of connections per process, and timeouts in milliseconds, from the settings. */
export type PoolLimits = {
  connections: number
  /** A request that waits longer than this for a connection gets `unavailable`. */
  connect: number
  statement: number
  /** Idle time after which a connection is closed. */
  idle: number
}
/** Several instances share a server with 100 connections. */
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
