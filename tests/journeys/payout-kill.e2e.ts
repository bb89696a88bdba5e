import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { PayoutDetail, PayoutPreview } from '#contract/money/payouts.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { openDatabase, type Database } from '#api/platform/db/database.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { goodPassword } from '#tests/builders.ts'
import { makeActiveMember } from '#tests/setup/a-publisher.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { ask, end, signalAll, startReplicated } from '#tests/setup/replicated-database.ts'
import { freePort, startProduct, stop, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

/* A thousand deliveries are paid while the product is killed again and again: each exactly once. */

const deliveries = 1000
const members = 40
const kills = 20
const runMax = 60
/** Of the requests, until the product was killed often enough. */
const killedShare = 0.15
const emails = ['first@example.org', 'second@example.org'] as const
type Officer = 0 | 1

const chance = (share: number): boolean => Math.random() < share
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Inserts completed orders, each with one delivery that is due. Returns the sum of their tokens. */
async function insertOrders(db: Database): Promise<bigint> {
  const owners = Array.from({ length: members }, (_, n) => ({
    email: `buyer-${n}@example.org`,
    language: 'en' as const,
    active: true,
    password_hash: '',
  }))
  const ids = (await db.insertInto('member').values(owners).returning('id').execute()).map(({ id }) => id)
  const amounts = Array.from({ length: deliveries }, () =>
    writeDecimal(
      (BigInt(`0x${randomBytes(5).toString('hex')}`) % 100_000_000_000n) * 10n ** 10n + 10n ** 10n,
    ),
  )
  const orders = await db
    .insertInto('token_order')
    .values(
      amounts.map((amount, n) => ({
        member_id: ids[n % members]!,
        pay_method: 'ETH',
        amount: '1',
        fab_qty: amount,
        fab_address: sampleTokenAddress(randomUUID()),
        status: 'completed' as const,
      })),
    )
    .returning(['id', 'fab_qty'])
    .execute()
  const due = new Date(Date.now() - 60_000)
  await db
    .insertInto('delivery')
    .values(orders.map(({ id, fab_qty }) => ({ order_id: id, tranche: 1, amount: fab_qty!, due_at: due })))
    .execute()
  return amounts.reduce((sum, amount) => sum + parseDecimal(amount), 0n)
}

type Answer = { status: number; json: unknown; text: string; headers: Headers }

/** Two instances. Some requests kill the one that they are sent to, at a random moment. */
class Instances {
  killed = 0
  readonly #running: (Product | undefined)[] = []
  readonly #begin: (n: number) => Promise<Product>
  readonly #dying = new Set<Product>()
  readonly #restarts: Promise<unknown>[] = []

  constructor(begin: (n: number) => Promise<Product>) {
    this.#begin = begin
  }

  async start(): Promise<void> {
    for (const n of [0, 1]) this.#running[n] = await this.#begin(n)
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#restarts)
    for (const product of this.#running) await product?.stop()
  }

  async #kill(n: number, within: number): Promise<void> {
    const product = this.#running[n]
    if (!product || this.#dying.has(product) || this.killed === kills) return
    this.#dying.add(product)
    this.killed += 1
    await pause(Math.random() * within)
    this.#running[n] = undefined
    await stop(product.process, 'SIGKILL')
    this.#running[n] = await this.#begin(n)
  }

  async any(): Promise<Product> {
    for (;;) {
      const up = this.#running.filter((product) => product !== undefined)
      if (up.length > 0) return up[Math.floor(Math.random() * up.length)]!
      await pause(50)
    }
  }

  /** Sends a request until it is answered. Its answer may have been lost before, as to any client. */
  async send(method: string, path: string, token: () => string, given: Given = {}): Promise<Answer> {
    for (;;) {
      const product = await this.any()
      if (chance(killedShare)) this.#restarts.push(this.#kill(this.#running.indexOf(product), 400))
      const answer = await sendOnce(product, method, path, token(), given).catch(() => undefined)
      if (answer && answer.status < 500) return answer
      await pause(200)
    }
  }
}

type Given = { body?: unknown; key?: string }

async function sendOnce(
  { url }: Product,
  method: string,
  path: string,
  token: string,
  { body, key }: Given,
): Promise<Answer> {
  const answer = await fetch(`${url}/v2/${path}`, {
    method,
    headers: {
      'x-app-id': defaultAppId,
      'x-access-token': token,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  return { status: answer.status, json: isJson ? JSON.parse(text) : undefined, text, headers: answer.headers }
}

/** Officers who sign in again when their proof of identity has aged or their session was lost. */
function signedIn(instances: Instances) {
  const tokens: Record<Officer, string> = { 0: '', 1: '' }
  const signIn = async (by: Officer) => {
    const body = { email: emails[by], password: goodPassword }
    const { status, json } = await instances.send('POST', 'members/login', () => '', { body })
    if (status === 200) tokens[by] = (json as { token: string }).token
    else await pause(1000)
  }
  return async (by: Officer, method: string, path: string, given: Given = {}): Promise<Answer> => {
    for (;;) {
      if (tokens[by] !== '') {
        const answer = await instances.send(method, path, () => tokens[by], given)
        const code = (answer.json as { code?: string } | undefined)?.code
        if (answer.status !== 401 && code !== 'step_up_required') return answer
      }
      await signIn(by)
    }
  }
}
type Call = ReturnType<typeof signedIn>

type Paid = { hash: string; reference: string; address: string; amount: bigint; txId: string }

/** Pays what a file says, once per run, as a wallet into which each file is loaded once. */
function aPayingRobot() {
  const ledger: Paid[] = []
  const byHash = new Map<string, Paid[]>()
  const pay = (hash: string, file: string): Paid[] => {
    const known = byHash.get(hash)
    if (known) return known
    const single = randomBytes(32).toString('hex')
    const isBatch = chance(0.5)
    const paid = file
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',') as [string, string, string, string])
      .map(([address, amount, reference, run]) => {
        if (run !== hash) throw new Error('a line of another run')
        const txId = isBatch ? single : randomBytes(32).toString('hex')
        return { hash, reference, address, amount: parseDecimal(amount), txId }
      })
    ledger.push(...paid)
    byHash.set(hash, paid)
    return paid
  }
  return { ledger, pay }
}
type Robot = ReturnType<typeof aPayingRobot>

const runPath = (id: string, act = ''): string => `${api.listPayouts.path}/${id}${act}`

const readRun = async (call: Call, id: string): Promise<PayoutDetail> =>
  (await call(0, 'GET', runPath(id))).json as PayoutDetail

/** Freezes a part of what is due. Returns undefined if another officer was faster or nothing is due. */
async function freezeSome(call: Call, by: Officer): Promise<PayoutDetail | 'taken' | 'nothing'> {
  const preview = async (body: unknown) =>
    (await call(by, 'POST', api.previewPayout.path, { body })).json as PayoutPreview
  const due = (await preview({ filters: {} })).deliveryIds
  if (due.length === 0) return 'nothing'
  const from = Math.floor(Math.random() * Math.max(1, due.length - runMax))
  const { deliveryIds, total, count } = await preview({ deliveryIds: due.slice(from, from + runMax) })
  if (count === 0) return 'taken'
  const given = { body: { deliveryIds, total }, key: randomUUID() }
  const { status, json, text } = await call(by, 'POST', api.freezePayout.path, given)
  if (status === 201) return json as PayoutDetail
  if (status !== 409) throw new Error(`the freeze was answered ${status}: ${text}`)
  return 'taken'
}

/** Whether an act took effect, whose first answer may have been lost. */
async function act(
  call: Call,
  by: Officer,
  { id }: PayoutDetail,
  { path, body, isDone }: { path: string; body: unknown; isDone: (run: PayoutDetail) => boolean },
): Promise<void> {
  const answer = await call(by, 'POST', runPath(id, path), { body })
  const run = await readRun(call, id)
  if (!isDone(run)) throw new Error(`${path} was answered ${answer.status} ${answer.text.slice(0, 300)}`)
}

const cancelled = ({ state }: PayoutDetail): boolean => state === 'cancelled'
const cancelBody = { reason: 'Nothing was sent.' }

async function fetchFile(call: Call, by: Officer, { id, hash }: PayoutDetail): Promise<string> {
  const { status, text, headers } = await call(by, 'GET', runPath(id, '/export/csv'))
  expect([status, headers.get('x-payout-hash')]).toEqual([200, hash])
  return text
}

/** Takes one run through all its steps. Some runs are canceled instead, before or after their export. */
async function takeThrough(call: Call, robot: Robot, by: Officer, run: PayoutDetail): Promise<void> {
  const other: Officer = by === 0 ? 1 : 0
  if (run.needsTwo)
    await act(call, other, run, {
      path: '/approve',
      body: { hash: run.hash },
      isDone: ({ state }) => state === 'ready',
    })
  if (chance(0.1)) return act(call, by, run, { path: '/cancel', body: cancelBody, isDone: cancelled })
  const file = await fetchFile(call, by, run)
  if (chance(0.1)) {
    await act(call, by, run, {
      path: '/cancel',
      body: cancelBody,
      isDone: ({ proposal }) => proposal !== null,
    })
    return act(call, other, run, { path: '/cancel', body: cancelBody, isDone: cancelled })
  }
  robot.pay(run.hash, file)
  // Whoever loads the file again gets the same bytes, and the robot pays nothing more.
  const again = await fetchFile(call, other, run)
  expect(again).toBe(file)
  const paid = robot.pay(run.hash, again)
  await act(call, by, run, {
    path: '/transactions',
    body: { lines: paid.map(({ reference, txId }) => ({ reference, txId })) },
    isDone: ({ state }) => state === 'sent',
  })
  await act(call, other, run, {
    path: '/confirm',
    body: { deliveryIds: run.list.map(({ deliveryId }) => deliveryId) },
    isDone: ({ state }) => state === 'done',
  })
}

async function payEverything(call: Call, robot: Robot, by: Officer): Promise<void> {
  for (;;) {
    const run = await freezeSome(call, by)
    if (run === 'nothing') return
    if (run !== 'taken') await takeThrough(call, robot, by, run)
  }
}

const sums = async (db: Database) =>
  (
    await sql<{ orders: string; deliveries: string; items: string; live: number; emails: number }>`select
      (select sum(fab_qty)::text from token_order) as orders,
      (select sum(amount)::text from delivery where cancelled_at is null) as deliveries,
      (select sum(amount)::text from payout_item where is_live and confirmed_at is not null) as items,
      (select count(*)::int from payout_item where is_live) as live,
      (select count(*)::int from mail where kind = 'order-delivery-confirmed') as emails`.execute(db)
  ).rows[0]!

/** Compares the ledger of the robot with what the product knows. */
async function compare(db: Database, ledger: readonly Paid[], sold: bigint): Promise<void> {
  const rows = await db
    .selectFrom('delivery')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .leftJoin('payout_item', (join) =>
      join.onRef('payout_item.delivery_id', '=', 'delivery.id').on('payout_item.is_live', '=', true),
    )
    .leftJoin('payout_run', 'payout_run.id', 'payout_item.run_id')
    .select(['delivery.reference', 'delivery.amount', 'token_order.fab_address as address'])
    .select(['payout_item.tx_id', 'payout_run.hash'])
    .execute()
  const times = Map.groupBy(ledger, ({ reference }) => reference)
  const twice = [...times.values()].filter((paid) => paid.length > 1)
  const lost = rows.filter(({ reference }) => !times.has(reference))
  expect({ twice: twice.length, lost: lost.length, all: rows.length }).toEqual({
    twice: 0,
    lost: 0,
    all: deliveries,
  })
  for (const { reference, amount, address, tx_id, hash } of rows) {
    const [paid] = times.get(reference)!
    expect(paid).toEqual({ reference, address, amount: parseDecimal(amount), txId: tx_id, hash })
  }
  const known = await sums(db)
  const paid = ledger.reduce((sum, { amount }) => sum + amount, 0n)
  for (const sum of [known.orders, known.deliveries, known.items]) expect(parseDecimal(sum)).toBe(sold)
  expect(paid).toBe(sold)
  expect([known.live, known.emails]).toEqual([deliveries, deliveries])
}

/** Starts an instance. While the database is away, it may refuse to start. */
async function startAgain(given: Parameters<typeof startProduct>[0]): Promise<Product> {
  for (let failed = 0; ; failed += 1)
    try {
      return await startProduct(given)
    } catch (error) {
      if (failed === 20) throw error
      await pause(500)
    }
}

/** Pays all deliveries while instances are killed, and while `meanwhile` goes on. */
async function payOn(
  url: string,
  meanwhile: (instances: Instances) => Promise<string> = () => Promise.resolve(''),
): Promise<void> {
  const dataDir = await makeTemporary('payouts')
  const ports = [String(await freePort()), String(await freePort())]
  const settings = {
    DATABASE_URL: url,
    STAFF_SECOND_FACTOR: 'optional',
    ORDER_TWO_PERSONS_FROM: '10000',
    LOG_LEVEL: 'silent',
    DEMO: 'off',
  }
  const instances = new Instances((n) => startAgain({ dataDir, settings: { ...settings, PORT: ports[n]! } }))
  const db = openDatabase(url, () => {})
  onTestFinished(async () => {
    await instances.stop()
    await db.destroy()
    await removeTemporary(dataDir)
  })
  await instances.start()
  for (const email of emails) await makeActiveMember(await instances.any(), email)
  await db
    .updateTable('member')
    .set({ manage_finance: 2, password_length_ok_for_staff: true })
    .where('email', 'in', emails)
    .execute()
  const sold = await insertOrders(db)
  const robot = aPayingRobot()
  const call = signedIn(instances)
  // Each frees only deliveries of its own runs, and goes on after it, so nothing is due once both have ended.
  const officers = Promise.all([payEverything(call, robot, 0), payEverything(call, robot, 1)])
  const [what] = await Promise.all([meanwhile(instances), officers])
  // The test's own connection may still have to find the new primary.
  const reads = () =>
    sql`select`.execute(db).then(
      () => true,
      () => false,
    )
  await expect.poll(reads).toBe(true)
  await compare(db, robot.ledger, sold)
  expect(instances.killed).toBe(kills)
  const runs = await sql<{ all: number; cancelled: number }>`select count(*)::int as all,
    count(cancelled_at)::int as cancelled from payout_run`.execute(db)
  console.log(
    `${deliveries} deliveries in ${runs.rows[0]!.all} runs, of which ${runs.rows[0]!.cancelled} canceled; ` +
      `${instances.killed} kills${what}, 0 paid twice, 0 lost, ` +
      `${writeDecimal(sold)} tokens in ledger, items, deliveries, and orders`,
  )
}

test(
  `of ${deliveries} deliveries, each is paid exactly once, although the product is killed ${kills} times`,
  { timeout: 1_800_000, tags: ['nightly'] },
  async () => {
    const url = await copyTemplate()
    onTestFinished(() => dropDatabase(url))
    await payOn(url)
  },
)

test(
  `of ${deliveries} deliveries, each is paid exactly once, although the database also fails over in the middle`,
  { timeout: 1_800_000, tags: ['nightly'] },
  async () => {
    const databases = await startReplicated()
    onTestFinished(databases.stop)
    await payOn(databases.url, async (instances) => {
      while (instances.killed < kills / 2) await pause(20)
      const { primary, replica } = databases
      const killed = end(primary.process, 'SIGKILL')
      signalAll(primary.process, 'SIGKILL')
      await killed
      // A decision takes a moment.
      await pause(2000)
      await ask(replica.url, 'select pg_promote()')
      return ` and a failover after ${kills / 2}`
    })
  },
)
