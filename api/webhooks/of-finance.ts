import { financeEventTypes, isOfFinance } from '#contract/webhook-events.ts'
import { levelOf } from '#contract/level-of.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/caller.ts'
import { Refused, refusedField } from '../refused.ts'
import { hasDeliveryOf } from './delivery.queries.ts'
import { lockEndpointAfterEvents, type WebhookRow } from './webhook.queries.ts'

/** An administrator alone has no finance level: events must not show what calls hide. */
export const readsFinance = ({ rights }: Pick<Caller, 'rights'>): boolean => levelOf(rights, 'finance') >= 1

export function requireMayChoose(caller: Caller, events: readonly string[]): void {
  if (events.some(isOfFinance) && !readsFinance(caller)) throw new Refused('forbidden')
}

/** Whether all valid secrets were shown only to people with a finance level. */
export const isSecretOfFinance = (
  row: Pick<WebhookRow, 'secret_of_finance' | 'former_secret_of_finance' | 'former_secret_until'>,
): boolean =>
  row.secret_of_finance &&
  (row.former_secret_of_finance || row.former_secret_until === null || row.former_secret_until <= new Date())

/** A person with the secret can forge signatures. */
export function requireMayAdd(caller: Caller, row: WebhookRow, added: readonly string[]): void {
  requireMayChoose(caller, added)
  if (added.some(isOfFinance) && !isSecretOfFinance(row)) throw refusedField('events', 'invalid')
}

/**
 * For changing an endpoint's address or reading its secret. Unsubscribed events count while they are in its
 * log: waiting ones are still sent, and others can be resent.
 */
export async function requireMayRedirect(db: Tx, caller: Caller, row: WebhookRow): Promise<void> {
  if (readsFinance(caller)) return
  requireMayChoose(caller, row.event_types)
  // Otherwise a finance event being written at this moment would be sent without authorization.
  await lockEndpointAfterEvents(db, row.id)
  if (await hasDeliveryOf(db, row.id, financeEventTypes)) throw new Refused('forbidden')
}
