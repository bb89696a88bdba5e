import { financeEventTypes, isOfFinance } from '#contract/integrations/webhook-events.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { hasDeliveryOf } from '../../platform/outbox/delivery.queries.ts'
import { lockEndpointAfterEvents, updateEndpoint, type WebhookRow } from './webhook.queries.ts'

/** Administrators without a finance level don't qualify, because events must not show what the API hides from them. */
export const readsFinance = ({ rights }: Pick<Caller, 'rights'>): boolean => levelOf(rights, 'finance') >= 1

/**
 * Makes a caller with a finance level responsible for the finance events that the endpoint receives. A change by anyone
 * else leaves the responsible person as it is.
 */
export async function takeResponsibility(db: Tx, caller: Caller, endpointId: string): Promise<void> {
  if (readsFinance(caller)) await updateEndpoint(db, endpointId, { finance_responsible_by: caller.memberId })
}

export function requireMayChoose(caller: Caller, events: readonly string[]): void {
  if (events.some(isOfFinance) && !readsFinance(caller)) throw new Refused('forbidden')
}

/** Whether all valid secrets were shown only to people with a finance level. */
export const isSecretOfFinance = (
  row: Pick<WebhookRow, 'secret_of_finance' | 'former_secret_of_finance' | 'former_secret_until'>,
): boolean =>
  row.secret_of_finance &&
  (row.former_secret_of_finance || row.former_secret_until === null || row.former_secret_until <= new Date())

/**
 * Protects finance events from people without a finance level who know the secret, because they could forge signatures.
 */
export function requireMayAdd(caller: Caller, row: WebhookRow, added: readonly string[]): void {
  requireMayChoose(caller, added)
  if (added.some(isOfFinance) && !isSecretOfFinance(row)) throw refusedField('events', 'invalid')
}

/**
 * Checks the right to change an endpoint's address or to read its secret. Unsubscribed events count while they are in
 * its log, because waiting ones are still sent and others can be resent.
 */
export async function requireMayRedirect(db: Tx, caller: Caller, row: WebhookRow): Promise<void> {
  if (readsFinance(caller)) return
  requireMayChoose(caller, row.event_types)
  // Otherwise a finance event being written at this moment would be sent without authorization.
  await lockEndpointAfterEvents(db, row.id)
  if (await hasDeliveryOf(db, row.id, financeEventTypes)) throw new Refused('forbidden')
}
