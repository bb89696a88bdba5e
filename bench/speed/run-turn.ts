import type { Turn } from '../measuring/figures.ts'
import { generateLoad } from '../measuring/generate-load.ts'
import { machineTime, ownTimeOf, processorTimeOf } from '../measuring/processes.ts'
import type { System } from './systems.ts'
import type { Source } from './works.ts'

/** Sends the requests of one source to one system, turn by turn. */
export type Runner = {
  system: System
  source: Source
  turns: Turn[]
  /** The number of requests to prepare for each second. */
  rateMax: number
}

const rateMaxAtFirst = 20_000
/** A system can become this many times faster. */
const fasterMax = 3

export const makeRunner = (system: System, source: Source): Runner => ({
  system,
  source,
  turns: [],
  rateMax: rateMaxAtFirst,
})

const warmUpSeconds = 1
/** Slow requests are repeated longer, until the program's code is compiled. */
const warmUpRequests = 100
const warmUpsMax = 4

/** The turns of the warm-up are not counted. Throws if the first request is not answered with success. */
export async function warmUp(runner: Runner, databasePid: number | undefined): Promise<void> {
  await requireSuccess(runner)
  let requests = 0
  for (let times = 0; times < warmUpsMax && requests < warmUpRequests; times += 1) {
    const turn = await run(runner, databasePid, warmUpSeconds)
    requests += turn.requests
    runner.rateMax = Math.max(runner.rateMax, (fasterMax * turn.requests) / turn.seconds)
  }
}

/** The load generator counts redirects as successes. */
async function requireSuccess({ system, source }: Runner): Promise<void> {
  const { path, headers, ...request } = source(1)[0]!
  const response = await fetch(new URL(path, system.url), {
    ...request,
    headers: { ...headers, 'content-type': 'application/json' },
    redirect: 'manual',
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`)
}

export async function runTurn(
  runner: Runner,
  databasePid: number | undefined,
  seconds: number,
): Promise<void> {
  runner.turns.push(await run(runner, databasePid, seconds))
}

async function run(
  { system, source, rateMax }: Runner,
  databasePid: number | undefined,
  seconds: number,
): Promise<Turn> {
  const requests = source(Math.ceil(rateMax * seconds) + 1)
  const before = processorTimes(system, databasePid)
  const load = await generateLoad(system.url, requests, { seconds })
  const after = processorTimes(system, databasePid)
  const taken = (of: keyof typeof before) =>
    before[of] === undefined || after[of] === undefined ? undefined : after[of] - before[of]
  const [program, database, generator] = [taken('program'), taken('database'), taken('generator')]
  const others =
    program === undefined || database === undefined || generator === undefined
      ? undefined
      : Math.max(0, taken('machine')! - generator - program - database)
  return { requests: load.requests, seconds: load.seconds, program, database, generator, others }
}

/** Processor times of the program, the database, the generator, and the whole machine. */
function processorTimes({ pids }: System, databasePid: number | undefined) {
  const times = pids.map(processorTimeOf)
  return {
    program:
      times.length === 0 || times.includes(undefined)
        ? undefined
        : times.reduce<number>((sum, time) => sum + time!, 0),
    database: databasePid === undefined ? undefined : processorTimeOf(databasePid),
    generator: ownTimeOf(process.pid),
    machine: machineTime(),
  }
}
