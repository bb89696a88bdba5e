import { transaction } from '#api/platform/db/database.ts'
import { recordTestEvent } from '#api/platform/outbox/event.queries.ts'
import { newSecret } from '#api/integrations/webhooks/webhook-secret.ts'
import { insertEndpoint } from '#api/integrations/webhooks/webhook.queries.ts'
import { randomUUID } from 'node:crypto'
import { getMemberById } from '#api/people/members/member.queries.ts'
import { rightsOf } from '#api/people/members/rights.ts'
import type { Api, EndpointName } from '#contract/api.ts'
import { type CallOf, levels } from '#contract/platform/endpoint.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { aToken, noLevels } from '#tests/api-tokens.ts'
import type { Scene } from './requests.ts'

const url = 'https://hooks.example.com/in'

/** Each owner has endpoints of their own, because their number is limited. */
async function aWebhook({ started: { services }, owner }: Scene): Promise<string> {
  const { db, keys } = services
  await db.deleteFrom('webhook_endpoint').execute()
  const id = randomUUID()
  await insertEndpoint(db, {
    id,
    url,
    description: '',
    event_types: ['post.published'],
    sealed_secret: keys.seal('webhook', id, newSecret()),
    secret_of_finance: false,
    created_by: owner.id,
  })
  return id
}

/** Webhook endpoints. */
export const webhookRequests = {
  listWebhooks: async () => ({}),
  getWebhook: async (scene: Scene) => ({ params: { id: await aWebhook(scene) } }),
  createWebhook: async (scene: Scene) => {
    await scene.started.services.db.deleteFrom('webhook_endpoint').execute()
    return { body: { url, events: ['post.published' as const] } }
  },
  updateWebhook: async (scene: Scene) => ({ body: { id: await aWebhook(scene), description: 'a ledger' } }),
  rotateWebhookSecret: async (scene: Scene) => ({ body: { id: await aWebhook(scene) } }),
  setWebhookState: async (scene: Scene) => ({
    body: { id: await aWebhook(scene), state: 'paused' as const },
  }),
  deleteWebhook: async (scene: Scene) => ({ body: { id: await aWebhook(scene) } }),
  listWebhookDeliveries: async (scene: Scene) => ({ params: { id: await aWebhook(scene) } }),
  testWebhook: async (scene: Scene) => ({ body: { id: await aWebhook(scene) } }),
  resendWebhookDelivery: async (scene: Scene) => {
    const webhookId = await aWebhook(scene)
    const { id } = await transaction(scene.started.services.db, (db) => recordTestEvent(db, webhookId))
    return { body: { id } }
  },
  resendFailedDeliveries: async (scene: Scene) => ({
    body: { id: await aWebhook(scene), since: '2036-01-01T00:00:00.000Z' },
  }),
}

/** Levels that the actor can give to a token. */
async function ownLevels({ started, actor }: Scene) {
  const rights = rightsOf(await getMemberById(started.services.db, actor.id))
  return { ...noLevels, ...Object.fromEntries(levels.map((level) => [level, levelOf(rights, level)])) }
}
const ownToken = async ({ started, actor }: Scene) => (await aToken(started, actor.id)).id

/** Tokens belong to the caller. Another test asserts that other people's tokens are not found. */
export const tokenRequests = {
  listApiTokens: async () => ({}),
  createApiToken: async (scene) => ({
    body: { name: 'Sample', levels: await ownLevels(scene) },
  }),
  rotateApiToken: async (scene) => ({ params: { id: await ownToken(scene) }, body: {} }),
  revokeApiToken: async (scene) => ({ params: { id: await ownToken(scene) }, body: { reason: 'Lost.' } }),
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
