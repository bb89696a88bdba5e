import { setTimeout } from 'node:timers/promises'
import { fetchRaw } from '../measuring/fetch-raw.ts'
import type { Turn } from '../measuring/figures.ts'
import { processorTimeOf } from '../measuring/processes.ts'
import type { OtherSystem } from './other-system.ts'
import { makeRunner, runTurn, warmUp, type Runner } from './run-turn.ts'
import type { Bare, FileServer, System } from './systems.ts'
import { each, type Ceiling, type Work } from './works.ts'

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

/** The comparison servers send the same bytes as the product. */
async function keepAnswers(contest: Contest, works: readonly Work[]): Promise<void> {
  for (const { key, kept } of works) {
    if (!kept) continue
    const { type, encoding, body } = await fetchRaw(new URL(kept.path, contest.ours.url), kept.headers ?? {})
    await contest.bare.keep({ name: key, type, encoding, body: body.toString('base64') })
    if (key === 'page') await contest.nginx?.keep(body)
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
  await untilAtRest(contest.ours.pids[0])
  await keepAnswers(contest, works)
  const all = works.map((work) => prepare(contest, work))
  for (const { runners } of all) for (const runner of runners) await warmUp(runner, contest.databasePid)
  for (let round = 0; round < rounds; round += 1)
    for (const { runners } of all)
      // The order alternates, because the second system finds a warmer machine.
      for (const runner of round % 2 === 0 ? runners : runners.toReversed())
        await runTurn(runner, contest.databasePid, seconds)
  return all.map(({ measured }) => measured)
}

function prepare(contest: Contest, work: Work): { measured: Measured; runners: Runner[] } {
  const { ours, bare, nginx, other } = contest
  const runners = [makeRunner(ours, work.source)]
  const measured: Measured = { work, ours: runners[0]!.turns, other: [], ceilings: [] }
  for (const ceiling of work.ceilings) {
    const system = ceiling.name === 'nginx' ? nginx : bare
    if (!system) continue
    const runner = makeRunner(system, ceiling.source)
    measured.ceilings.push({ ceiling, turns: runner.turns })
    runners.push(runner)
  }
  const asked = other?.requestOf(work.key)
  if (other && asked) {
    const runner = makeRunner(other, each(asked))
    measured.other = runner.turns
    runners.push(runner)
  }
  return { measured, runners }
}
