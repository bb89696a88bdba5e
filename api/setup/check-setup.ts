import type { HealthCheck } from '#contract/console/console-health.ts'
import {
  setupFacts,
  setupSteps,
  type SetupFact,
  type SetupProblem,
  type SetupStep,
  type SetupStepName,
} from '#contract/console/console-setup.ts'
import type { Examined } from '../health/check.ts'
import { look } from '../health/look.ts'
import type { Outside } from '../health/outside/outside.ts'
import { checkOutside } from './check-outside.ts'
import { hasPublishedPost, hasSale, listSkippedSteps } from './setup.queries.ts'

type Checks = Readonly<
  Record<'settings' | 'mail' | 'backup' | 'content' | 'mailServer' | 'mailDomain' | 'tls', HealthCheck>
>
type Judged = {
  from: readonly (keyof Checks)[]
  problems: readonly SetupProblem[]
  facts?: readonly SetupFact[]
}

/** Which problems of which health checks keep a step open. Other problems of these checks don't concern the setup. */
const judgedBy: Readonly<Record<Exclude<SetupStepName, 'first_post' | 'sale'>, Judged>> = {
  second_administrator: { from: ['settings'], problems: ['one_administrator'] },
  email: {
    from: ['mail', 'mailServer'],
    problems: ['mail_unset', 'mail_waiting', 'mail_server_unreachable'],
    facts: ['why'],
  },
  backup: {
    from: ['backup'],
    problems: ['backup_never', 'backup_old', 'backup_failed'],
  },
  screening_list: {
    from: ['settings'],
    problems: ['no_screening_list', 'screening_list_unreadable'],
  },
  texts: { from: ['content'], problems: ['content_sample'], facts: ['sampleCount'] },
  domain: {
    from: ['settings', 'tls', 'mailDomain'],
    problems: [
      'http_only',
      'tls_untrusted',
      'tls_name',
      'tls_expired',
      'mail_unset',
      'mail_domain_unknown',
      'spf_missing',
      'spf_several',
      'spf_open',
      'dkim_missing',
      'dmarc_missing',
    ],
    facts: ['senderDomain'],
  },
}

/** A check that gave no result leaves its steps open. */
const withoutResult: readonly SetupProblem[] = ['unanswered', 'check_failed']

type Found = Pick<SetupStep, 'problems' | 'facts'> & { isDone: boolean }

function judge(checks: Checks, { from, problems, facts = [] }: Judged): Found {
  const found = from.map((name) => checks[name])
  const reported: ReadonlySet<string> = new Set(found.flatMap((check) => check.problems))
  const open = [...problems, ...withoutResult].filter((problem) => reported.has(problem))
  return {
    isDone: open.length === 0,
    problems: open,
    facts: setupFacts
      .filter((name) => facts.includes(name))
      .flatMap((name) => {
        const fact = found.flatMap((check) => check.facts).find((each) => each.name === name)
        return fact ? [{ name, value: fact.value }] : []
      }),
  }
}

const withoutCheck = (isDone: boolean): Found => ({ isDone, problems: [], facts: [] })

/** The mail domain is only checked if emails are sent; until then, or if it has no public name, it isn't set up. */
function requireMailDomain(check: HealthCheck, { smtpUrl }: Examined['config']): HealthCheck {
  if (check.state !== 'unchecked') return check
  const isAsked = check.facts.some(({ name }) => name === 'senderDomain')
  const problem = isAsked ? 'unanswered' : smtpUrl === undefined ? 'mail_unset' : 'mail_domain_unknown'
  return { ...check, problems: [problem] }
}

/** Runs the health checks as in production, because the checklist prepares the installation for it. */
async function runChecks(examined: Examined, outside: Outside): Promise<Checks> {
  const inProduction = { ...examined, config: { ...examined.config, isProduction: true, isDemo: false } }
  const [settings, mail, backup, content, mailServer, mailDomain, tls] = await Promise.all([
    look('settings', inProduction),
    look('mail', inProduction),
    look('backup', inProduction),
    look('content', inProduction),
    checkOutside('mailServer', examined, outside),
    checkOutside('mailDomain', examined, outside),
    checkOutside('tls', examined, outside),
  ])
  const required = requireMailDomain(mailDomain, examined.config)
  return { settings, mail, backup, content, mailServer, mailDomain: required, tls }
}

/** Checks every step of the setup. A step that is done is never shown as skipped. */
export async function checkSetup(examined: Examined, outside: Outside): Promise<SetupStep[]> {
  const { db } = examined
  const [checks, skipped, hasPost, isSelling] = await Promise.all([
    runChecks(examined, outside),
    listSkippedSteps(db),
    hasPublishedPost(db),
    hasSale(db),
  ])
  const foundOf = (name: SetupStepName): Found => {
    if (name === 'first_post') return withoutCheck(hasPost)
    return name === 'sale' ? withoutCheck(isSelling) : judge(checks, judgedBy[name])
  }
  return setupSteps.map((name) => {
    const { isDone, problems, facts } = foundOf(name)
    if (isDone) return { name, state: 'done', problems: [], facts: [] }
    return { name, state: skipped.has(name) ? 'skipped' : 'open', problems, facts }
  })
}
