import type { FastifyBaseLogger } from 'fastify'
import { MINUTE } from '#contract/platform/durations.ts'

/** Dependencies that may be unavailable for a while. */
type OutagePart = 'database' | 'replica' | 'files' | 'mail'

const began: Readonly<Record<OutagePart, string>> = {
  database: 'the database is unavailable',
  replica: 'the database replica is unavailable, and the primary is read instead',
  files: 'the file storage is unavailable',
  mail: 'emails are queued until the mail server accepts them: check SMTP_URL, MAIL_FROM, and the mail server',
}
const ended: Readonly<Record<OutagePart, string>> = {
  database: 'the database has not failed for a minute',
  replica: 'the database replica has not failed for a minute',
  files: 'the file storage has not failed for a minute',
  mail: 'the mail server has not failed for a minute',
}

type Outage = { count: number; since: number; end: NodeJS.Timeout }
const outagesOf = new WeakMap<object, Map<OutagePart, Outage>>()

/**
 * Logs the start and end of an outage, with the number of failed requests and jobs, so that not each of them writes a
 * line. An outage ends after a minute without a failure. Each log has its own outages.
 */
export function logOutage(
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
  part: OutagePart,
  error: { code?: unknown },
): void {
  const outages = outagesOf.get(log) ?? new Map<OutagePart, Outage>()
  outagesOf.set(log, outages)
  const known = outages.get(part)
  if (!known) log.warn({ part, code: error.code }, began[part])
  clearTimeout(known?.end)
  const outage = { count: (known?.count ?? 0) + 1, since: known?.since ?? performance.now() }
  const end = setTimeout(() => {
    outages.delete(part)
    log.info({ part, count: outage.count, ms: Math.round(performance.now() - outage.since) }, ended[part])
  }, MINUTE)
  outages.set(part, { ...outage, end: end.unref() })
}
