import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Webhook } from '#contract/integrations/webhooks.ts'
import { openDatabase, transaction } from '#api/platform/db/database.ts'
import { recordEvent } from '#api/platform/outbox/event.queries.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { makeAdministrator } from '#tests/setup/a-publisher.ts'
import { freePort, startProduct, stop, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { aReceiver } from '#tests/webhooks.ts'

const email = 'admin@example.org'
const password = 'a password for staff'
const events = 1000
const kills = 8
const undoneEvery = 10

test(
  'of a thousand events none is lost and none that was rolled back is told, whatever is killed, and repetitions have their id',
  { timeout: 1_800_000, tags: ['nightly'] },
  async () => {
    const url = await copyTemplate()
    const dataDir = await makeTemporary('webhooks')
    const start = async (port: string) =>
      startProduct({
        dataDir,
        settings: {
          DATABASE_URL: url,
          ADMIN_EMAILS: email,
          STAFF_SECOND_FACTOR: 'optional',
          LOG_LEVEL: 'silent',
          DEMO: 'off',
          PORT: port,
        },
      })
    const ports = [String(await freePort()), String(await freePort())]
    const products: Product[] = [await start(ports[0]!)]
    products.push(await start(ports[1]!))
    const db = openDatabase(url, () => {})
    onTestFinished(async () => {
      await db.destroy()
      await Promise.all(products.map((product) => product.stop()))
      await dropDatabase(url)
      await removeTemporary(dataDir)
    })
    const [first] = products
    await makeAdministrator(first!, email, password)
    const { token } = (await (await first!.post('members/login', { email, password })).json()) as {
      token: string
    }
    // The receiver takes a moment for each event, so that a kill can come between receiving and responding.
    const receiver = await aReceiver((response) => void setTimeout(() => response.writeHead(204).end(), 15))
    const made = await first!.post(
      api.createWebhook.path,
      { url: receiver.url, events: ['member.activated'] },
      { 'x-access-token': token },
    )
    const { webhook } = (await made.json()) as { webhook: Webhook }
    expect(made.status).toBe(201)

    const happen = (n: number) =>
      transaction(db, async (db) => {
        const memberId = `m-${n}`
        await recordEvent(db, 'member.activated', memberId, {
          memberId,
          activatedAt: new Date().toISOString(),
        })
        if (n % undoneEvery === 0) throw new Error('undone')
      }).catch((error: unknown) => {
        if ((error as Error).message !== 'undone') throw error
      })
    for (let kill = 0; kill < kills; kill += 1) {
      const each = events / kills
      for (let n = 0; n < each; n += 1) await happen(kill * each + n + 1)
      const before = receiver.received.length
      await expect.poll(() => receiver.received.length, { timeout: 120_000 }).toBeGreaterThan(before)
      await stop(products[kill % 2]!.process, 'SIGKILL')
      products[kill % 2] = await start(ports[kill % 2]!)
    }
    const countWaiting = async () =>
      (
        await db
          .selectFrom('webhook_delivery')
          .select('id')
          .where('endpoint_id', '=', webhook.id)
          .where('state', '!=', 'delivered')
          .execute()
      ).length
    await expect.poll(countWaiting, { timeout: 300_000, interval: 500 }).toBe(0)

    const ids = new Map<unknown, Set<string>>()
    for (const { event } of receiver.received)
      ids.set(event.data['memberId'], (ids.get(event.data['memberId']) ?? new Set()).add(event.id))
    const lasting = Array.from({ length: events }, (_, n) => n + 1).filter((n) => n % undoneEvery !== 0)
    expect(lasting.filter((n) => !ids.has(`m-${n}`))).toEqual([])
    expect(ids.size).toBe(lasting.length)
    expect([...ids].filter(([, known]) => known.size > 1)).toEqual([])
    // A kill repeats only the deliveries in progress.
    expect(receiver.received.length - lasting.length).toBeLessThanOrEqual(kills * 4)
  },
)
