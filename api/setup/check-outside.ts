import type { HealthCheck } from '#contract/console/console-health.ts'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { checked, type Examined } from '../health/check.ts'
import { checkMailDomain, checkMailServer } from '../health/outside/check-mail.ts'
import { checkTls } from '../health/outside/check-tls.ts'
import type { Outside } from '../health/outside/outside.ts'

/** Checks of `npm run doctor` that the server can run itself, because they need nothing from the operator. */
const outsideChecks = { mailServer: checkMailServer, mailDomain: checkMailDomain, tls: checkTls } as const
type OutsideName = keyof typeof outsideChecks

type Run = { found: Promise<HealthCheck>; endedAt: number | undefined }
type Known = { run: Run; lastResult: HealthCheck | undefined }

/** How long a result counts. Problems are checked again soon, so that a fix shows. */
const ageMax = { good: HOUR, other: MINUTE }
/** How long a page waits for a check, and for one whose earlier result it can show instead. */
const waitMax = { first: 4 * SECOND, again: SECOND }

/** The last runs of each installation. A process has only one, except in tests. */
const installations = new WeakMap<Examined['config'], Map<OutsideName, Known>>()

/** Whether the run is in progress, or its result still counts. */
const isCurrent = ({ run, lastResult }: Known): boolean =>
  run.endedAt === undefined ||
  Date.now() - run.endedAt < (lastResult?.state === 'good' ? ageMax.good : ageMax.other)

function startCheck(
  name: OutsideName,
  examined: Examined,
  outside: Outside,
  lastResult: HealthCheck | undefined,
): Known {
  const run: Run = {
    endedAt: undefined,
    found: outsideChecks[name](examined, outside).catch(() =>
      checked(name, { facts: {}, problems: { check_failed: true } }),
    ),
  }
  const known: Known = { run, lastResult }
  void run.found.then((result) => {
    known.lastResult = result
    run.endedAt = Date.now()
  })
  return known
}

/**
 * Runs a check that asks other servers, or returns its last result. If a check takes long, it continues, and the next
 * page shows its result.
 */
export async function checkOutside(
  name: OutsideName,
  examined: Examined,
  outside: Outside,
): Promise<HealthCheck> {
  const checks = installations.get(examined.config) ?? new Map<OutsideName, Known>()
  installations.set(examined.config, checks)
  const before = checks.get(name)
  const known = before && isCurrent(before) ? before : startCheck(name, examined, outside, before?.lastResult)
  checks.set(name, known)
  const { lastResult, run } = known
  const meanwhile = lastResult ?? checked(name, { facts: {}, problems: { unanswered: true } })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<HealthCheck>((resolve) => {
    timer = setTimeout(() => resolve(meanwhile), lastResult ? waitMax.again : waitMax.first)
  })
  return Promise.race([run.found, late]).finally(() => clearTimeout(timer))
}
