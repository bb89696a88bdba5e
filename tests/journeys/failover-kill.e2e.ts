import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAdministrator } from '#tests/setup/a-publisher.ts'
import { pause, startTraffic, type Traffic } from '#tests/setup/live-traffic.ts'
import { missingPrograms, startPatroniCluster, type NodeName } from '#tests/setup/patroni-cluster.ts'
import { ask } from '#tests/setup/replicated-database.ts'
import { startS3Server } from '#tests/setup/s3-server.ts'
import { startProduct, stop, type Product } from '#tests/setup/start-product.ts'

const [email, password] = ['admin@example.org', 'a password for staff']
const missing = missingPrograms()
const reason = missing.length > 0 ? ` (not run: install ${missing.join(', ')})` : ''
const leftovers: (() => unknown)[] = []
let cluster: Awaited<ReturnType<typeof startPatroniCluster>>
let traffic: Traffic

/** Continuous reads and writes on two instances behind PgBouncer, HAProxy, and Patroni. */
async function begin(): Promise<void> {
  cluster = await startPatroniCluster()
  const store = await startS3Server()
  leftovers.push(
    () => cluster.stop(),
    () => store.close(),
  )
  const settings = {
    DATABASE_URL: cluster.pooledUrl,
    DATABASE_DIRECT_URL: cluster.directUrl,
    DATABASE_PREPARE: 'off',
    STORAGE_URL: store.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ADMIN_EMAILS: email,
    STAFF_SECOND_FACTOR: 'optional',
    DEMO: 'off',
  }
  const products: Product[] = []
  // One of the two reads from a replica.
  for (const more of [{}, { DATABASE_REPLICA_URL: cluster.replicaUrl }])
    products.push(await startProduct({ settings: { ...settings, ...more } }))
  leftovers.push(() => Promise.all(products.map(({ process }) => stop(process, 'SIGKILL'))))
  await makeAdministrator(products[0]!, email, password)
  const answer = await products[0]!.post('members/login', { email, password })
  const { token } = (await answer.json()) as { token: string }
  traffic = startTraffic(
    products.map(({ url }) => url),
    () => token,
  )
  await pause(3000)
}

/** Counts the lost and the doubled writes among those that were acknowledged. */
async function count(): Promise<{ lost: number; doubled: number }> {
  const acknowledged = [...traffic.acknowledged]
  const rows = await ask<{ title: string; times: string }>(
    cluster.directUrl,
    'select title, count(*) as times from announcement group by title',
  )
  const times = new Map(rows.map(({ title, times }) => [title, Number(times)]))
  return {
    lost: acknowledged.filter((title) => !times.has(title)).length,
    doubled: [...times.values()].filter((each) => each > 1).length,
  }
}

/** Replaces the leader, waits until writes succeed on the new one, and expects no write to be lost or doubled. */
async function replaceLeader(name: string, replace: (leader: NodeName) => unknown): Promise<void> {
  const leader = await cluster.leader()
  const watch = traffic.watch()
  await replace(leader)
  await expect.poll(async () => (await cluster.leader()) !== leader, { timeout: 60_000 }).toBe(true)
  const before = traffic.acknowledged.length
  await expect.poll(() => traffic.acknowledged.length > before + 20, { timeout: 60_000 }).toBe(true)
  await pause(2000)
  const { longestPause, writes } = watch()
  const { lost, doubled } = await count()
  const now = await cluster.leader()
  console.log(
    `| ${name} | ${leader} → ${now} | ${(longestPause / 1000).toFixed(1)} s without writes | ${writes} writes | ${lost} lost | ${doubled} doubled |`,
  )
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
  expect(longestPause).toBeLessThan(40_000)
}

describe.skipIf(missing.length > 0)(`three database machines with Patroni${reason}`, () => {
  beforeAll(begin, 240_000)
  afterAll(async () => {
    await traffic?.stop()
    for (const clear of leftovers.reverse()) await clear()
  }, 120_000)

  test.each([1, 2])('kill %i of the leader loses and doubles no write', { timeout: 240_000 }, async (n) => {
    let killed!: NodeName
    await replaceLeader(`kill ${n}`, (leader) => cluster.kill((killed = leader)))
    cluster.start(killed)
    await cluster.whole()
  })

  test.each([1, 2])('switch-over %i loses and doubles no write', { timeout: 240_000 }, async (n) => {
    await replaceLeader(`switch-over ${n}`, (leader) => cluster.switchOver(leader))
    await cluster.whole()
  })
})
