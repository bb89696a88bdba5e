import { collectHandlers, type Module } from '../../platform/module.ts'
import { deleteOldEvents } from '../../platform/outbox/event.queries.ts'
import * as webhookHandlers from './webhook-handlers.ts'
import { startWebhookWorker } from './sending/webhook-worker.ts'
import { deleteDeletedEndpoints } from './webhook.queries.ts'

/** Webhooks: the operator's endpoints that receive events, and their deliveries. */
export const webhooks = {
  calls: collectHandlers(webhookHandlers),
  personal: {
    columns: {
      webhook_endpoint: { created_by: 'remains', finance_responsible_by: 'remains' },
      webhook_event: { subject_id: 'expires', data: 'expires' },
      webhook_delivery: { subject_id: 'expires', response_excerpt: 'expires' },
    },
  },
  cleanUp: {
    oldWebhookEvents: ({ db }) => deleteOldEvents(db),
    deletedWebhooks: ({ db }) => deleteDeletedEndpoints(db),
  },
  workers: [startWebhookWorker],
} satisfies Module
