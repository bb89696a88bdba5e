import { setTimeout } from 'node:timers/promises'
import { drive, onWire, requireAnswered } from '../measuring/drive.ts'
import { fetchRaw } from '../measuring/fetch-raw.ts'
import type { Turn } from '../measuring/figures.ts'
import { machineTime, processorTimeOf } from '../measuring/processes.ts'
import type { OtherSystem } from './other-system.ts'
import type { Bare, FileServer, System } from './systems.ts'
import type { Ceiling, Work } from './works.ts'

type Contest = {
  ours: System
  bare: Bare
  nginx: FileServer | undefined
  other: OtherSystem | undefined
  /** The parent process of all database processes. */
  databasePid: number | undefined
}

export type Measured = {
  work: Work
  ours: Turn[]
  other: Turn[]
  ceilings: { ceiling: Ceiling; turns: Turn[] }[]
}

type Runner = { name: string; system: System; next: () => Buffer; turns: Turn[] }

const warmUpSeconds = 0.6
/** Slow requests are repeated longer, until the program's code is compiled. */
const warmUpRequests = 100
const warmUpsMax = 4

/** The comparison servers send the same bytes as the product. */
async function keepAnswers(contest: Contest, works: readonly Work[]): Promise<void> {
  for (const { key, kept } of works) {
    if (!kept) continue
    const { type, encoding, body } = await fetchRaw(new URL(kept.path, contest.ours.url), kept.headers ?? {})
    await contest.bare.keep({ name: key, type, encoding, body: body.toString('base64') })
    if (key === 'page') await contest.nginx?.keep({ encoding, body })
  }
}

const restedFor = 500
const restedShare = 0.05

/** After startup, the program prepares pages in the background. Nothing is measured until that is done. */
export async function untilAtRest(pid: number | undefined, secondsMax = 60): Promise<void> {
  const until = performance.now() + secondsMax * 1000
  while (performance.now() < until) {
    const before = pid === undefined ? undefined : processorTimeOf(pid)
    await setTimeout(restedFor)
    const after = pid === undefined ? undefined : processorTimeOf(pid)
    if (before === undefined || after === undefined || after - before <= restedShare * restedFor) return
  }
}

/**
 * The product, the comparison systems, and another system take turns at each task, round by round, so that a
 * disturbance affects all of them.
 */
export async function measureWorks(
  contest: Contest,
  works: readonly Work[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Measured[]> {
  await untilAtRest(contest.ours.pid)
  await keepAnswers(contest, works)
  const all = works.map((work) => prepare(contest, work))
  for (const { runners } of all) for (const runner of runners) await warmUp(runner, contest)
  for (let round = 0; round < rounds; round += 1)
    for (const { runners } of all)
      // The order alternates, because the second system finds a warmer machine.
      for (const runner of round % 2 === 0 ? runners : runners.toReversed())
        runner.turns.push(await run(runner, contest, seconds))
  return all.map(({ measured }) => measured)
}

function prepare(contest: Contest, work: Work): { measured: Measured; runners: Runner[] } {
  const { ours, bare, nginx, other } = contest
  const measured: Measured = { work, ours: [], other: [], ceilings: [] }
  const runners: Runner[] = [
    { name: work.name, system: ours, next: work.next(ours.url), turns: measured.ours },
  ]
  for (const ceiling of work.ceilings) {
    const system = ceiling.name === 'nginx' ? nginx : bare
    if (!system) continue
    const turns: Turn[] = []
    measured.ceilings.push({ ceiling, turns })
    runners.push({ name: `${work.name}, ${ceiling.name}`, system, next: ceiling.next(system.url), turns })
  }
  const asked = other?.requestOf(work.key)
  if (other && asked) {
    let n = 0
    const next = () => onWire(other.url, asked((n += 1)))
    runners.push({ name: `${work.name} of ${other.url.host}`, system: other, next, turns: measured.other })
  }
  return { measured, runners }
}

async function warmUp(runner: Runner, contest: Contest): Promise<void> {
  let requests = 0
  for (let times = 0; times < warmUpsMax && requests < warmUpRequests; times += 1)
    requests += (await run(runner, contest, warmUpSeconds)).requests
}

/** Processor times of the program, the database, this client, and the whole machine. */
function processorTimes(pid: number | undefined, databasePid: number | undefined) {
  const timeOf = (each: number | undefined) => (each === undefined ? undefined : processorTimeOf(each))
  const { user, system } = process.cpuUsage()
  return {
    program: timeOf(pid),
    database: timeOf(databasePid),
    client: (user + system) / 1000,
    machine: machineTime(),
  }
}

async function run({ name, system, next }: Runner, { databasePid }: Contest, seconds: number): Promise<Turn> {
  const before = processorTimes(system.pid, databasePid)
  const driven = await drive(system.url, next, { seconds })
  const after = processorTimes(system.pid, databasePid)
  requireAnswered(driven, name)
  const taken = (of: keyof typeof before) =>
    before[of] === undefined || after[of] === undefined ? undefined : after[of] - before[of]
  const [program, database] = [taken('program'), taken('database')]
  const others =
    program === undefined || database === undefined
      ? undefined
      : Math.max(0, taken('machine')! - taken('client')! - program - database)
  return { requests: driven.requests, seconds: driven.seconds, program, database, others }
}
