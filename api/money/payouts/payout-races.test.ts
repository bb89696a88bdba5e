import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PayoutDetail } from '#contract/money/payouts.ts'
import {
  aDueDelivery,
  anExportedRun,
  approve,
  aRun,
  cancel,
  confirm,
  exportFile,
  freeze,
  officers,
  readRun,
  record,
} from '#tests/payouts.ts'
import {
  staffDecides,
  startAnotherInstance,
  startApi,
  type Answered,
  type TestApi,
} from '#tests/setup/start-api.ts'

/* Two instances on one PostgreSQL, and what their officers do at the same time. */

const rounds = 8
const txId = () => crypto.randomUUID().replaceAll('-', '').repeat(2)

/** Repeats what a busy server asked to repeat, as a client does. */
async function patiently<T>(call: () => Promise<Answered<T>>): Promise<Answered<T>> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function twoInstances(settings: Record<string, string> = {}) {
  const started = await startApi(settings)
  const other = await startAnotherInstance(started)
  const [one, two] = await officers(started, 2)
  return { started, other, one, two, db: started.services.db }
}

const countLive = async ({ services }: TestApi) =>
  (
    await sql<{ live: number; deliveries: number; runs: number }>`select count(*)::int as live,
      count(distinct delivery_id)::int as deliveries, count(distinct run_id)::int as runs
      from payout_item where is_live`.execute(services.db)
  ).rows[0]!

test('twenty officers who freeze the same 50 deliveries at once make one run', async () => {
  const started = await startApi()
  const other = await startAnotherInstance(started)
  const all = await officers(started, 20)
  const { memberId } = await aDueDelivery(started)
  const ids: string[] = []
  for (let n = 0; n < 50; n++) ids.push((await aDueDelivery(started, { memberId })).id)
  const answers = await Promise.all(
    all.map((by, index) => patiently(() => freeze(index % 2 ? other : started, by, ids, '5000'))),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)])
  expect(await countLive(started)).toEqual({ live: 50, deliveries: 50, runs: 1 })
})

test('officers who freeze overlapping deliveries never share one', async () => {
  const started = await startApi()
  const other = await startAnotherInstance(started)
  const all = await officers(started, 10)
  const { memberId } = await aDueDelivery(started)
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push((await aDueDelivery(started, { memberId })).id)
  const answers = await Promise.all(
    all.map((by, n) => {
      const part = Array.from({ length: 4 }, (_, k) => ids[(n * 2 + k) % ids.length]!)
      return patiently(() => freeze(n % 2 ? other : started, by, part, '400'))
    }),
  )
  const made = answers.filter(({ status }) => status === 201).length
  expect(made).toBeGreaterThan(0)
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
  expect(await countLive(started)).toEqual({ live: made * 4, deliveries: made * 4, runs: made })
})

test('an approval and a cancellation at once leave an approved or a canceled run', async () => {
  const { started, other, one, two } = await twoInstances(staffDecides)
  for (let n = 0; n < rounds; n++) {
    const run = await aRun(started, one, 1, '10000')
    const [approved, cancelled] = await Promise.all([
      approve(started, two, run.id, run.hash),
      cancel(other, one, run.id),
    ])
    // An approved run that was not exported can be canceled by one officer, so the cancellation always wins.
    expect(cancelled.status).toBe(200)
    expect([200, 409]).toContain(approved.status)
    expect((await readRun(started, one, run.id)).state).toBe('cancelled')
    expect((await exportFile(started, one, run.id)).status).toBe(409)
  }
  expect(await countLive(started)).toMatchObject({ live: 0 })
})

test('of an export and a cancellation at once, one counts', async () => {
  const { started, other, one, two } = await twoInstances()
  for (let n = 0; n < rounds; n++) {
    const run = await aRun(started, one)
    const [exported, cancelled] = await Promise.all([
      exportFile(started, two, run.id),
      cancel(other, one, run.id),
    ])
    const { state, proposal } = await readRun(started, one, run.id)
    if (exported.status === 200) {
      // The cancellation became a proposal to a second officer.
      expect([cancelled.status, state, proposal?.by.id]).toEqual([200, 'exported', one.id])
    } else expect([exported.status, cancelled.status, state]).toEqual([409, 200, 'cancelled'])
  }
})

const itemOf = ({ list }: PayoutDetail) => list[0]!

test('two officers who record transactions at once leave one of them, whole', async () => {
  const { started, other, one, two } = await twoInstances()
  for (let n = 0; n < rounds; n++) {
    const run = await anExportedRun(started, one, 3)
    const lines = (id: string) => run.list.map(({ reference }) => ({ reference, txId: id }))
    const [first, second] = [txId(), txId()]
    const answers = await Promise.all([
      record(started, one, run.id, lines(first)),
      record(other, two, run.id, lines(second)),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const ids = new Set((await readRun(started, one, run.id)).list.map((item) => item.txId))
    expect(ids.size).toBe(1)
    expect([first, second]).toContain([...ids][0])
  }
})

test('one transaction that is recorded in two runs at once counts in one', async () => {
  const { started, other, one, two } = await twoInstances()
  for (let n = 0; n < rounds; n++) {
    const [a, b] = [await anExportedRun(started, one), await anExportedRun(started, two)]
    const id = txId()
    const answers = await Promise.all([
      record(started, one, a.id, [{ reference: itemOf(a).reference, txId: id }]),
      record(other, two, b.id, [{ reference: itemOf(b).reference, txId: id }]),
    ])
    const problems = answers.map(({ body }) => body.lines[0]!.problem)
    expect(problems.toSorted()).toEqual([null, 'other_run'])
    const states = [await readRun(started, one, a.id), await readRun(started, one, b.id)]
    expect(states.map(({ sent }) => sent).toSorted()).toEqual([0, 1])
  }
})

test('a recorded transaction and a second cancellation at once never free what was sent', async () => {
  const { started, other, one, two } = await twoInstances()
  for (let n = 0; n < rounds; n++) {
    const run = await anExportedRun(started, one)
    await cancel(started, one, run.id)
    const [recorded, cancelled] = await Promise.all([
      record(started, one, run.id, [{ reference: itemOf(run).reference, txId: txId() }]),
      cancel(other, two, run.id),
    ])
    const { state } = await readRun(started, one, run.id)
    if (recorded.status === 200) expect([cancelled.status, state]).toEqual([409, 'sent'])
    else expect([recorded.status, cancelled.status, state]).toEqual([409, 200, 'cancelled'])
  }
})

test('a confirmation and a cancellation at once leave the delivery confirmed, with one email', async () => {
  const { started, other, one, two, db } = await twoInstances()
  const run = await anExportedRun(started, one)
  const { reference, deliveryId, memberEmail } = itemOf(run)
  await record(started, one, run.id, [{ reference, txId: txId() }])
  const answers = await Promise.all([
    confirm(started, one, run.id, [deliveryId]),
    confirm(other, two, run.id, [deliveryId]),
    cancel(started, one, run.id),
    cancel(other, two, run.id, [deliveryId]),
  ])
  expect(
    answers
      .slice(0, 2)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual([200, 409])
  expect(answers.slice(2).map(({ status }) => status)).toEqual([409, 409])
  const mails = (await started.mailsTo(memberEmail)).filter(({ kind }) => kind === 'order-delivery-confirmed')
  expect(mails).toHaveLength(1)
  const { is_live: isLive } = await db
    .selectFrom('payout_item')
    .select('is_live')
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirstOrThrow()
  expect(isLive).toBe(true)
})

test('a withdrawal and a freeze at once never pay what is taken back', async () => {
  const { started, one, db } = await twoInstances()
  for (let n = 0; n < rounds; n++) {
    const due = await aDueDelivery(started)
    const [frozen] = await Promise.all([
      freeze(started, one, [due.id], '100'),
      db.transaction().execute(async (tx) => {
        await sql`select from token_order where id = ${due.order_id} for update`.execute(tx)
        await tx
          .insertInto('order_withdrawal')
          .values({
            order_id: due.order_id,
            state: 'requested',
            refund_before: new Date(),
            until_at: new Date(),
          })
          .execute()
      }),
    ])
    if (frozen.status === 201) expect((await exportFile(started, one, frozen.body.id)).status).toBe(409)
    else expect(frozen.problem.deliveries).toMatchObject([{ hold: 'withdrawal_open' }])
  }
})
