import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { isOrderOfficer } from '#api/money/orders/order-officer.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { anExportedRun, aRun, officers, readRun, record } from '#tests/payouts.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'

const on = await startApi({}, afterAll)
const [one] = await officers(on, 2)

test('finds runs by number, hash, transaction, and status', async () => {
  const run = await anExportedRun(on, one)
  await record(on, one, run.id, [{ reference: run.list[0]!.reference, txId: 'ef'.repeat(32) }])
  const find = async (query: object) =>
    (await on.call(api.listPayouts, { query }, as(one))).body.map(({ id }) => id)
  for (const q of [String(run.number), run.hash.slice(0, 12), 'EF'.repeat(32)])
    expect(await find({ q })).toContain(run.id)
  expect(await find({ state: 'sent', q: String(run.number) })).toEqual([run.id])
  expect(await find({ state: 'done', q: String(run.number) })).toEqual([])
})

test('lists the runs that await the reader', async () => {
  const started = await startApi(staffDecides)
  const [first, second] = await officers(started, 2)
  const run = await aRun(started, first, 1, '10000')
  const waiting = async (by: typeof first) =>
    (await started.call(api.listPayouts, { query: { waitingFor: 'me' } }, as(by))).body.map(({ id }) => id)
  expect(await waiting(second)).toEqual([run.id])
  expect(await waiting(first)).toEqual([])
})

test('the list is exported as CSV with recent authentication', async () => {
  const run = await aRun(on, one)
  const { body } = await on.call(api.exportPayouts, {}, as(one))
  expect(String(body)).toContain(run.hash)
  const late = await aSignedInMember(on, { manage_finance: 2 })
  await letProofAge(on, late)
  expect((await on.call(api.exportPayouts, {}, as(late))).problem.code).toBe('step_up_required')
})

test('only finance reads runs', async () => {
  const run = await aRun(on, one)
  const reader = await aSignedInMember(on, { manage_finance: 1 })
  expect(await readRun(on, reader, run.id)).toMatchObject({ id: run.id, forbids: null, hold: null })
  const coins = await aSignedInMember(on, { manage_coins: 2 })
  expect((await on.call(api.getPayout, { params: { id: run.id } }, as(coins))).status).toBe(403)
  expect((await on.call(api.getPayout, { params: { id: 'unknown' } }, as(one))).status).toBe(404)
})

test('an officer who froze a run counts as one who handled orders, and a reader does not', async () => {
  const [officer] = await officers(on, 1)
  const run = await aRun(on, officer)
  const reader = await aSignedInMember(on, { manage_finance: 1 })
  await readRun(on, reader, run.id)
  expect(await isOrderOfficer(on.services.db, officer.id)).toBe(true)
  expect(await isOrderOfficer(on.services.db, reader.id)).toBe(false)
})
