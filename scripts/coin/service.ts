import { setTimeout } from 'node:timers/promises'
import { SECOND } from '#contract/platform/durations.ts'
import { readConfig } from '#api/platform/config/config.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { runProgram } from './run-program.ts'

const pollTime = SECOND / 4

/**
 * The units of the product, in the order in which they are started. `COIN_SERVICE` names them, separated by spaces.
 * `COIN_SERVICE_MANAGER` is a program that is called like `systemctl` with `start`, `stop`, or `is-active` and a unit.
 */
export function openService(environment: NodeJS.ProcessEnv) {
  const manager = environment['COIN_SERVICE_MANAGER'] || 'systemctl'
  const units = (environment['COIN_SERVICE'] || 'coin').split(/\s+/).filter(Boolean)
  const isRunning = async (unit: string): Promise<boolean> =>
    (await runProgram(manager, ['is-active', unit])).isDone
  const change = async (verb: 'start' | 'stop', unit: string): Promise<void> => {
    const { isDone, said } = await runProgram(manager, [verb, unit])
    const isAsWanted = isDone || (verb === 'stop' && !(await isRunning(unit)))
    if (!isAsWanted) throw new StartRefused(`The command ${manager} ${verb} ${unit} failed: ${said}`)
  }
  return {
    units,
    isRunning,
    start: (unit: string) => change('start', unit),
    stop: (unit: string) => change('stop', unit),
  }
}
export type Service = ReturnType<typeof openService>

/** Returns the address at which the first unit reports whether it is ready. */
export function readyUrlOf(environment: NodeJS.ProcessEnv): string {
  const { host, port } = readConfig({ ...environment, NODE_ENV: undefined })
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/v2/ready`
}

/** Whether the product at this address is ready now. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5 * SECOND) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Waits until the product is ready. Throws after the time limit, in milliseconds. */
export async function waitUntilReady(url: string, limit: number): Promise<void> {
  for (const begun = performance.now(); !(await isReady(url)); await setTimeout(pollTime))
    if (performance.now() - begun > limit)
      throw new StartRefused(`The release isn’t ready after ${limit / SECOND} seconds (${url}).`)
}
