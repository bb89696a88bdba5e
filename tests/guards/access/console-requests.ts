import { randomUUID } from 'node:crypto'
import type { Api, EndpointName } from '#contract/api.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { upsertView } from '#api/console/views/console-view.queries.ts'
import type { Scene } from './requests.ts'

const aView = () => ({ list: 'orders', name: `View ${randomUUID()}`, query: 'status=pending' })
const aStoredView = async ({ started, actor }: Scene) =>
  (await upsertView(started.services.db, actor.id, aView())).id

/** Views belong to the caller. Another test asserts that other people's views are not found. */
export const consoleRequests = {
  listNeedsAttention: async () => ({}),
  readDashboardMetrics: async () => ({}),
  listConsoleViews: async () => ({ query: { list: 'orders' } }),
  saveConsoleView: async () => ({ body: aView() }),
  renameConsoleView: async (scene) => ({
    params: { id: await aStoredView(scene) },
    body: { name: `View ${randomUUID()}` },
  }),
  deleteConsoleView: async (scene) => ({ params: { id: await aStoredView(scene) } }),
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
