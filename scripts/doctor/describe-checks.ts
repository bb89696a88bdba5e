import { healthFacts, type HealthCheck, type HealthFactName } from '#contract/console/console-health.ts'
import words from '#content/messages/en/console-health.json' with { type: 'json' }

const say = (key: string): string => (words as Record<string, string>)[key] ?? key

/** Describes the checks for the command line, with the messages of the console. */
export function describeChecks(checks: readonly HealthCheck[]): string {
  const wrong = checks.filter(({ problems }) => problems.length > 0)
  const width = Math.max(...checks.map(({ name }) => say(`health.check.${name}`).length))
  const blocks = checks.map((check) => {
    const head = `${say(`health.check.${check.name}`).padEnd(width)}  ${say(`health.state.${check.state}`)}`
    return [head, ...detailsOf(check)].join('\n')
  })
  const end =
    wrong.length === 0 ? 'No problems found.' : `${wrong.length} of ${checks.length} need attention.`
  return [...blocks, '', end].join('\n')
}

/** Details are shown only if there is a problem. */
function detailsOf({ problems, facts }: HealthCheck): string[] {
  if (problems.length === 0) return []
  const found = facts.map(({ name, value }) => `${say(`health.fact.${name}`)}: ${factOf(name, value)}`)
  return [
    ...problems.flatMap((problem) => [
      `  - ${say(`health.problem.${problem}`)} [${problem}]`,
      `    ${say(`health.advice.${problem}`)}`,
    ]),
    ...(found.length > 0 ? [`    (${found.join('; ')})`] : []),
  ]
}

function factOf(name: HealthFactName, value: string): string {
  const kind = healthFacts[name]
  if (kind === 'bytes') return `${(Number(value) / 2 ** 20).toFixed(1)} MiB`
  if (kind === 'ms') return `${value} ms`
  return kind === 'setting' ? say(`health.setting.${value}`) : value
}

/** The IDs are those of the contract and must not change. */
export function describeChecksAsJson(checks: readonly HealthCheck[]): string {
  const described = checks.map(({ name, state, problems, facts }) => ({
    name,
    state,
    problems: problems.map((id) => ({
      id,
      what: say(`health.problem.${id}`),
      repair: say(`health.advice.${id}`),
    })),
    facts: Object.fromEntries(facts.map((fact) => [fact.name, fact.value])),
  }))
  const ok = checks.every(({ problems }) => problems.length === 0)
  return JSON.stringify({ at: new Date().toISOString(), ok, checks: described }, null, 2)
}
