import type { Noun } from '../noun.ts'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  setWebhookState,
  updateWebhook,
} from './change-webhooks.ts'
import { deleteOldEvents } from './event.queries.ts'
import { getWebhook, listWebhookDeliveries, listWebhooks } from './read-webhooks.ts'
import { resendFailedDeliveries, resendWebhookDelivery, testWebhook } from './send-again.ts'
import { startWebhookWorker } from './sending/webhook-worker.ts'
import { deleteDeletedEndpoints } from './webhook.queries.ts'

/** Machines of the operator’s that are told what happens, and what they were told. */
export const webhooks = {
  calls: {
    listWebhooks,
    getWebhook,
    createWebhook,
    updateWebhook,
    rotateWebhookSecret,
    setWebhookState,
    deleteWebhook,
    listWebhookDeliveries,
    testWebhook,
    resendWebhookDelivery,
    resendFailedDeliveries,
  },
  personal: {
    columns: {
      webhook_endpoint: { created_by: 'remains' },
      webhook_event: { subject_id: 'expires', data: 'expires' },
      webhook_delivery: { subject_id: 'expires', response_excerpt: 'expires' },
    },
  },
  cleanUp: {
    oldWebhookEvents: ({ db }) => deleteOldEvents(db),
    deletedWebhooks: ({ db }) => deleteDeletedEndpoints(db),
  },
  workers: [startWebhookWorker],
} satisfies Noun
