import { figuresOf } from '../measuring/figures.ts'
import { generators } from '../measuring/generate-load.ts'
import { makeRunner, runTurn, warmUp } from './run-turn.ts'
import type { System } from './systems.ts'

/**
 * Describes the rate that the load generator reaches if there is as good as nothing behind it: an empty response. If it
 * then uses a whole processor, the generator is the limit of all rates near this one.
 */
export async function describeGenerator(system: System, seconds: number): Promise<string> {
  const runner = makeRunner(system, () => [{ path: '/nothing' }])
  await warmUp(runner, undefined)
  await runTurn(runner, undefined, seconds)
  const [turn] = runner.turns
  const used = turn!.generator === undefined ? '–' : (turn!.generator / turn!.seconds / 1000).toFixed(2)
  return `Load generator: ${generators[0]!.name}, ${figuresOf(runner.turns).rate.toFixed(0)} empty responses a second, using ${used} processors.`
}
