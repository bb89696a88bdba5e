import { DAY, HOUR } from '#contract/durations.ts'
import { readWebhookStanding } from '../webhooks/webhook.queries.ts'
import { checked, type Check } from './check.ts'

/** Delay of deliveries that is tolerated, longer than a receiver's restart. In milliseconds. */
const patience = HOUR
/** A pause for repairs is over by then. */
const pausePatience = DAY

export const checkWebhooks: Check = async ({ db }) => {
  const { endpoints, disabled, failing, paused, waiting, oldest, failed } = await readWebhookStanding(db, {
    patience,
    pausePatience,
  })
  return checked('webhooks', {
    facts: { endpoints, waiting, oldest, failed },
    problems: {
      webhooks_disabled: disabled > 0,
      webhooks_failing: failing > 0,
      webhooks_waiting: failing === 0 && oldest !== null && Date.now() - oldest.getTime() > patience,
      webhooks_paused: paused > 0,
    },
  })
}
