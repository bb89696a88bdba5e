import { HOUR } from '#contract/durations.ts'
import { readWebhookStanding } from '../webhooks/webhook.queries.ts'
import { checked, type Check } from './check.ts'

/** What receivers may be behind before it is said: longer than they are restarted for. */
const patience = HOUR

export const checkWebhooks: Check = async ({ db }) => {
  const { endpoints, disabled, failing, waiting, oldest, failed } = await readWebhookStanding(db, patience)
  return checked('webhooks', {
    facts: { endpoints, waiting, oldest, failed },
    problems: {
      webhooks_disabled: disabled > 0,
      webhooks_failing: failing > 0,
      webhooks_waiting: failing === 0 && oldest !== null && Date.now() - oldest.getTime() > patience,
    },
  })
}
