import type { HealthCheck } from '#contract/console/console-health.ts'
import { mailProviders, type MailProvider } from '../../platform/config/read-mail-events.ts'
import { checked, type Examined } from '../check.ts'
import { ask, codeOf } from './ask.ts'

/** Whether the requests of email providers arrive: without a proof, the product itself refuses them. */
export async function checkMailEvents({ config }: Pick<Examined, 'config'>): Promise<HealthCheck> {
  const used = mailProviders.filter((provider) => config.mailEvents[provider] !== undefined)
  if (used.length === 0) return checked('mailEvents', { facts: {}, isUnchecked: true })
  const failures: string[] = []
  for (const provider of used) {
    const answer = await answerTo(provider, config.publicUrl)
    if (answer !== '401' && answer !== '429') failures.push(`${provider} ${answer}`)
  }
  return checked('mailEvents', {
    facts: { why: failures.join(', ') || undefined },
    problems: { mail_events_unreachable: failures.length > 0 },
  })
}

/** The status, or the code of the error. */
const answerTo = (provider: MailProvider, publicUrl: URL): Promise<string> =>
  ask(new URL(`/email-events/${provider}`, publicUrl), { method: 'POST' }).then(
    ({ status }) => String(status),
    codeOf,
  )
