import { cpus } from 'node:os'
import { figuresOf, median, type Turn } from '../measuring/figures.ts'
import { markdownTable } from '../measuring/markdown-table.ts'
import { makeRunner, runTurn, warmUp } from './run-turn.ts'
import { startBalancer, startOurs } from './systems.ts'
import type { Work } from './works.ts'

const counts = [1, 2, 4]

type Row = { instances: number; work: Work; turns: readonly Turn[] }

/** Measures works on several instances behind nginx, with one database. Returns nothing if nginx is not installed. */
export async function measureInstances(
  database: { url: string; pid: number | undefined; dataDir: string },
  works: readonly Work[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of counts) {
    const instances = await Promise.all(
      Array.from({ length: count }, () => startOurs(database.url, database.dataDir)),
    )
    const balancer = await startBalancer(instances)
    for (const work of balancer ? works : []) {
      const runner = makeRunner(balancer!, work.source)
      // Each instance has to compile its code.
      for (let times = 0; times < count; times += 1) await warmUp(runner, database.pid)
      for (let round = 0; round < rounds; round += 1) await runTurn(runner, database.pid, seconds)
      rows.push({ instances: count, work, turns: runner.turns })
    }
    await balancer?.stop()
    await Promise.all(instances.map((each) => each.stop()))
  }
  return rows.toSorted((one, other) => works.indexOf(one.work) - works.indexOf(other.work))
}

/** The mean number of processors that something used. */
function processorsOf(turns: readonly Turn[], of: 'program' | 'database' | 'generator'): string {
  const used = turns.flatMap((turn) => (turn[of] === undefined ? [] : [turn[of] / turn.seconds / 1000]))
  return used.length === 0 ? '–' : median(used).toFixed(2)
}

export function instancesTable(rows: readonly Row[]): string {
  const head = [
    'work',
    'instances',
    'a second (from–to)',
    'processors: instances and nginx',
    'database',
    'generator',
  ]
  const lines = rows.map(({ instances, work, turns }) => {
    const { rate, slowest, fastest } = figuresOf(turns)
    const rates = [rate, slowest, fastest].map((each) => each.toFixed(0))
    return [
      work.name,
      String(instances),
      `${rates[0]} (${rates[1]}–${rates[2]})`,
      processorsOf(turns, 'program'),
      processorsOf(turns, 'database'),
      processorsOf(turns, 'generator'),
    ]
  })
  return `${markdownTable(head, lines)}\n\nThe machine has ${cpus().length} processors for all of them.`
}
