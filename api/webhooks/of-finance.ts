import { financeEventTypes, isOfFinance } from '#contract/webhook-events.ts'
import { levelOf } from '#contract/level-of.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/caller.ts'
import { Refused, refusedField } from '../refused.ts'
import { hasDeliveryOf } from './delivery-log.queries.ts'
import { lockEndpointAfterEvents, type WebhookRow } from './webhook.queries.ts'

/** An administrator has no level of finance by that alone: events must not show them what the calls do not. */
export const readsFinance = ({ rights }: Pick<Caller, 'rights'>): boolean => levelOf(rights, 'finance') >= 1

export function requireMayChoose(caller: Caller, events: readonly string[]): void {
  if (events.some(isOfFinance) && !readsFinance(caller)) throw new Refused('forbidden')
}

/** Whether all secrets that sign now were shown to people with a level of finance alone. */
export const isSecretOfFinance = (
  row: Pick<WebhookRow, 'secret_of_finance' | 'former_secret_of_finance' | 'former_secret_until'>,
): boolean =>
  row.secret_of_finance &&
  (row.former_secret_of_finance || row.former_secret_until === null || row.former_secret_until <= new Date())

/** Whoever has the secret can forge what it signs. */
export function requireMayAdd(caller: Caller, row: WebhookRow, added: readonly string[]): void {
  requireMayChoose(caller, added)
  if (added.some(isOfFinance) && !isSecretOfFinance(row)) throw refusedField('events', 'invalid')
}

/**
 * For whoever sends an endpoint elsewhere, or reads its secret. Events that it no longer asks for count while they stand in its log: what
 * waits is still sent, and the rest can be sent again.
 */
export async function requireMayRedirect(db: Tx, caller: Caller, row: WebhookRow): Promise<void> {
  if (readsFinance(caller)) return
  requireMayChoose(caller, row.event_types)
  // An event of finance that is being written at this moment would go where nobody may send it.
  await lockEndpointAfterEvents(db, row.id)
  if (await hasDeliveryOf(db, row.id, financeEventTypes)) throw new Refused('forbidden')
}
