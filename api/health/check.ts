import type {
  HealthCheck,
  HealthCheckName,
  HealthFactName,
  HealthProblem,
  HealthState,
} from '#contract/console-health.ts'

/** Problems that stop something people need; the others only ask for attention. */
const stopping: ReadonlySet<HealthProblem> = new Set([
  'unanswered',
  'storage_full',
  'storage_unreachable',
  'record_broken',
  'screening_list_unreadable',
] as const)

type Fact = string | number | Date | null | undefined

/** What a check found. A problem is named by a condition; facts that are unknown are left out. */
export function checked(
  name: HealthCheckName,
  found: {
    facts: { readonly [Name in HealthFactName]?: Fact }
    problems?: { readonly [Problem in HealthProblem]?: boolean }
  },
): HealthCheck {
  const problems = (Object.entries(found.problems ?? {}) as [HealthProblem, boolean][]).flatMap(
    ([problem, isSo]) => (isSo ? [problem] : []),
  )
  const facts = (Object.entries(found.facts) as [HealthFactName, Fact][]).flatMap(([fact, value]) =>
    value === null || value === undefined ? [] : [{ name: fact, value: textOf(value) }],
  )
  return { name, state: stateOf(problems), problems, facts }
}

const textOf = (value: NonNullable<Fact>): string =>
  value instanceof Date ? value.toISOString() : String(value)

const stateOf = (problems: readonly HealthProblem[]): HealthState =>
  problems.length === 0 ? 'good' : problems.some((problem) => stopping.has(problem)) ? 'down' : 'attention'
