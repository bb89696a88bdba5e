import type { WebhookEventType } from '#contract/webhook-events.ts'
import type { DeliveryState, DeliveryTrouble, Webhook, WebhookState } from '#contract/webhooks.ts'
import type { KeyTaking, PlainKey } from '../../i18n/message-key.ts'
import type { TagColour } from '../../ui/tag.tsx'

type Shown = { colour: TagColour; words: PlainKey }

const stateWords: Readonly<Record<WebhookState, Shown>> = {
  active: { colour: 'green', words: 'webhooks.state.active' },
  paused: { colour: 'quiet', words: 'webhooks.state.paused' },
  disabled: { colour: 'red', words: 'webhooks.state.disabled' },
}

/** One that fails at this time is not shown as if all were well. */
export const shownState = ({ state, failingSince }: Webhook): Shown =>
  state === 'active' && failingSince !== null
    ? { colour: 'yellow', words: 'webhooks.state.failing' }
    : stateWords[state]

export const eventWords: Readonly<Record<WebhookEventType, PlainKey>> = {
  'order.completed': 'webhooks.event.order.completed',
  'case.decided': 'webhooks.event.case.decided',
  'post.published': 'webhooks.event.post.published',
  'member.activated': 'webhooks.event.member.activated',
  'webhook.test': 'webhooks.event.webhook.test',
}

export const disabledWords: Readonly<Record<NonNullable<Webhook['disabledFor']>, KeyTaking<'time'>>> = {
  failures: 'webhooks.disabledFor.failures',
  gone: 'webhooks.disabledFor.gone',
}

export const deliveryWords: Readonly<Record<DeliveryState, Shown>> = {
  waiting: { colour: 'quiet', words: 'webhooks.delivery.waiting' },
  sending: { colour: 'verdigris', words: 'webhooks.delivery.sending' },
  retrying: { colour: 'yellow', words: 'webhooks.delivery.retrying' },
  delivered: { colour: 'green', words: 'webhooks.delivery.delivered' },
  failed: { colour: 'red', words: 'webhooks.delivery.failed' },
}

export const troubleWords: Readonly<Record<DeliveryTrouble, PlainKey>> = {
  status: 'webhooks.trouble.status',
  gone: 'webhooks.trouble.gone',
  redirected: 'webhooks.trouble.redirected',
  address_refused: 'webhooks.trouble.address_refused',
  host_unknown: 'webhooks.trouble.host_unknown',
  connection_refused: 'webhooks.trouble.connection_refused',
  connection_lost: 'webhooks.trouble.connection_lost',
  timed_out: 'webhooks.trouble.timed_out',
  tls: 'webhooks.trouble.tls',
  interrupted: 'webhooks.trouble.interrupted',
  unreadable_secret: 'webhooks.trouble.unreadable_secret',
  unknown: 'webhooks.trouble.unknown',
}
