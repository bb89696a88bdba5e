import { importKinds, type Outcome } from './import-files.ts'
import { describeFault } from './import-problem.ts'

/** Further problems are only counted. */
const shownMax = 100

/** Describes what an import did, or would do, without personal data. */
export function describeOutcome({ isDone, plans }: Outcome, isDry: boolean): string {
  const isRefused = importKinds.some((kind) => (plans[kind]?.problems.length ?? 0) > 0)
  const lines = importKinds.flatMap((kind) => {
    const plan = plans[kind]
    if (!plan) return []
    const made = `${plan.made.length} ${isDone ? 'added' : isRefused ? 'new' : 'would be added'}`
    const kept =
      plan.kept.length > 0
        ? [
            `  ${alreadyExist(plan.kept.length)} with different data (not changed), lines ${upTo(plan.kept.map(String)).join(', ')}`,
          ]
        : []
    return [
      `${kind}: ${made}, ${alreadyExist(plan.same + plan.kept.length)}`,
      ...kept,
      ...plan.remarks.map((remark) => `  ${remark}`),
      ...upTo(
        plan.problems
          .toSorted((a, b) => a.line - b.line || (a.item ?? 0) - (b.item ?? 0))
          .map((each) => `  ${describeFault(each)}`),
      ),
    ]
  })
  const end = isRefused
    ? 'Nothing was imported: fix or remove these lines first.'
    : isDry
      ? 'Nothing was imported: this was a dry run.'
      : 'All records were imported. No emails were sent.'
  return [...lines, end].join('\n')
}

const alreadyExist = (count: number) => `${count} already ${count === 1 ? 'exists' : 'exist'}`

const upTo = (all: readonly string[]): string[] =>
  all.length <= shownMax ? [...all] : [...all.slice(0, shownMax), `  and ${all.length - shownMax} more`]
