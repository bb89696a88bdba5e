import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { api } from '#contract/api.ts'
import type { ChosenEventType } from '#contract/integrations/webhook-events.ts'
import type { Webhook, WebhookDelivery } from '#contract/integrations/webhooks.ts'
import type { TestMember } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

export type Received = { headers: IncomingHttpHeaders; body: string; path: string; event: SentEvent }
export type SentEvent = { id: string; type: string; createdAt: string; data: Record<string, unknown> }

type Answer = (response: ServerResponse, received: Received) => void

/** A webhook receiver on this machine. It responds with 204 until it is told otherwise. */
export async function aReceiver(answer: Answer = (response) => void response.writeHead(204).end()) {
  const received: Received[] = []
  const how = { answer }
  const server: Server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      const event = JSON.parse(body) as SentEvent
      const one: Received = { headers: request.headers, body, path: request.url ?? '', event }
      received.push(one)
      how.answer(response, one)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, received, how, server }
}

export async function aWebhook(
  { call }: TestApi,
  admin: TestMember,
  url: string,
  events: ChosenEventType[] = [
    'order.completed',
    'order.corrected',
    'case.decided',
    'post.published',
    'member.activated',
  ],
): Promise<{ webhook: Webhook; secret: string }> {
  const answer = await call(api.createWebhook, { body: { url, events } }, { token: admin.token })
  if (answer.status !== 201) throw new Error(`no webhook: ${JSON.stringify(answer.problem)}`)
  return answer.body
}

export const deliveriesOf = async (
  { call }: TestApi,
  admin: TestMember,
  id: string,
): Promise<WebhookDelivery[]> =>
  (await call(api.listWebhookDeliveries, { params: { id } }, { token: admin.token })).body

/**
 * Returns its events in the order of insertion. The list of deliveries has events of the same millisecond in any order.
 */
export async function eventIdsOf({ services: { db } }: TestApi, id: string): Promise<string[]> {
  const rows = db.selectFrom('webhook_delivery').select('event_id').where('endpoint_id', '=', id)
  return (await rows.orderBy('n').execute()).map(({ event_id }) => event_id)
}

/** Lets this many milliseconds pass for waiting deliveries. */
export async function passTime({ services: { db } }: TestApi, id: string, ms: number): Promise<void> {
  const rows = await db.selectFrom('webhook_delivery').selectAll().where('endpoint_id', '=', id).execute()
  for (const row of rows)
    await db
      .updateTable('webhook_delivery')
      .set({ next_try_at: new Date(row.next_try_at.getTime() - ms) })
      .where('id', '=', row.id)
      .execute()
}
