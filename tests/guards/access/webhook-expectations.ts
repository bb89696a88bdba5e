import { admin, type Expectation } from './permissions.ts'

/** Only administrators can choose where member IDs and amounts are sent. */
export const webhookExpectations = {
  listWebhooks: { call: 'GET admin/webhooks', success: 200, may: admin },
  getWebhook: { call: 'GET admin/webhooks/:id', success: 200, may: admin },
  createWebhook: { call: 'POST admin/webhooks/create', success: 201, may: admin },
  updateWebhook: { call: 'POST admin/webhooks/update', success: 200, may: admin },
  rotateWebhookSecret: { call: 'POST admin/webhooks/rotate', success: 200, may: admin },
  setWebhookState: { call: 'POST admin/webhooks/state', success: 200, may: admin },
  deleteWebhook: { call: 'POST admin/webhooks/delete', success: 200, may: admin },
  listWebhookDeliveries: { call: 'GET admin/webhooks/:id/deliveries', success: 200, may: admin },
  testWebhook: { call: 'POST admin/webhooks/test', success: 200, may: admin },
  resendWebhookDelivery: { call: 'POST admin/webhooks/resend', success: 200, may: admin },
  resendFailedDeliveries: { call: 'POST admin/webhooks/resendfailed', success: 200, may: admin },
} satisfies Record<string, Expectation>
