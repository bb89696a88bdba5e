import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { updateOrderRow } from '#api/money/orders/order.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import {
  aDueDelivery,
  anExportedRun,
  aRun,
  cancel,
  exportFile,
  freeze,
  officers,
  readRun,
  storeRun,
} from '#tests/payouts.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { lockRun, markExported } from './payout.queries.ts'
import { readFrozen } from './require-payout.ts'
import { fileFormats } from './run-files.rules.ts'

/* The files that wallets read. After the first one, tokens may have been sent. */

const on = await startApi({}, afterAll)
const [one, two] = await officers(on, 2)
const { db } = on.services

test('each export has the same bytes and the hash of the run', async () => {
  const run = await aRun(on, one, 2)
  const [first, again] = [await exportFile(on, one, run.id), await exportFile(on, two, run.id)]
  expect(String(first.body)).toBe(String(again.body))
  expect(first.headers['x-payout-hash']).toBe(run.hash)
  expect(first.headers['content-disposition']).toContain(`payout-${run.number}-csv-${run.hash}.csv`)
  const lines = String(first.body).split('\r\n')
  expect(lines[0]).toBe('address,amount,reference,run')
  expect(lines[1]).toBe(`${run.list[0]!.address},100,${run.list[0]!.reference},${run.hash}`)
  expect(await readRun(on, one, run.id)).toMatchObject({
    state: 'exported',
    exports: [
      { format: 'csv', by: { id: one.id } },
      { format: 'csv', by: { id: two.id } },
    ],
  })
})

test('only formats of the network are exported', async () => {
  const run = await aRun(on, one)
  expect(run.formats).toEqual(['csv', 'psbt'])
  for (const format of ['safe', 'disperse'] as const)
    expect((await exportFile(on, one, run.id, format)).status).toBe(409)
  const { body } = await exportFile(on, one, run.id, 'psbt')
  expect(body).toEqual({
    run: run.hash,
    outputs: [{ [run.list[0]!.address]: '100' }],
  })
})

test('a token of an Ethereum chain is exported for Safe and Disperse, in its smallest unit', async () => {
  const contract = '0x52908400098527886E0F7030069857D2E4169EE7'
  const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const token = { network: 'ethereum 1', contract, decimals: 8 }
  const run = await storeRun(on, one.id, { token, address: to, amount: '12345678901.00000009' })
  await markExported(db, run.id)
  const safe = await exportFile(on, two, run.id, 'safe')
  expect(safe.headers['x-payout-hash']).toBe(run.hash)
  expect(safe.body).toMatchObject({
    chainId: '1',
    meta: { description: run.hash },
    transactions: [{ to: contract, value: '0', contractInputsValues: { to, value: '1234567890100000009' } }],
  })
  const disperse = await exportFile(on, two, run.id, 'disperse')
  expect(String(disperse.body)).toBe(`${to},12345678901.00000009\n`)
  expect(disperse.headers['content-disposition']).toContain(run.hash)
  expect((await exportFile(on, two, run.id, 'psbt')).status).toBe(409)
})

test('exporting needs finance level 2 and recent authentication', async () => {
  const run = await aRun(on, one)
  const reader = await aSignedInMember(on, { manage_finance: 1 })
  expect((await exportFile(on, reader, run.id)).status).toBe(403)
  const late = await aSignedInMember(on, { manage_finance: 2 })
  await letProofAge(on, late)
  expect((await exportFile(on, late, run.id)).problem.code).toBe('step_up_required')
  expect((await exportFile(on, one, 'unknown')).status).toBe(404)
  expect((await readRun(on, one, run.id)).firstExportedAt).toBeNull()
})

test('an officer exports and cancels no run that pays them', async () => {
  const { id } = await aDueDelivery(on, { memberId: two.id })
  const run = (await freeze(on, one, [id], '100')).body
  expect((await exportFile(on, two, run.id)).status).toBe(403)
  expect((await cancel(on, two, run.id)).status).toBe(403)
  expect((await readRun(on, two, run.id)).forbids).toBe('own')
})

test('a first export whose bytes were lost is repeated with the same bytes', async () => {
  const run = await aRun(on, one)
  const lost = await db.transaction().execute(async (tx) => {
    const locked = (await lockRun(tx, run.id))!
    await markExported(tx, run.id)
    return fileFormats.csv.write(await readFrozen(tx, locked))
  })
  expect(String((await exportFile(on, two, run.id)).body)).toBe(lost)
  // One officer can't cancel it any more, although nobody has seen the file.
  expect((await cancel(on, one, run.id)).body.state).toBe('exported')
})

test('a changed row refuses the export', async () => {
  const run = await aRun(on, one)
  await sql`alter table payout_item disable trigger payout_item_kept`.execute(db)
  await sql`update payout_item set amount = amount + 1 where run_id = ${run.id}`.execute(db)
  await sql`alter table payout_item enable trigger payout_item_kept`.execute(db)
  expect((await exportFile(on, one, run.id)).status).toBe(500)
})

test('a frozen item never changes', async () => {
  const run = await aRun(on, one)
  for (const change of [sql`address = 'other'`, sql`amount = 1`, sql`position = 9`])
    await expect(sql`update payout_item set ${change} where run_id = ${run.id}`.execute(db)).rejects.toThrow(
      'never changes',
    )
})

const withdraw = (orderId: string) =>
  db
    .insertInto('order_withdrawal')
    .values({ order_id: orderId, state: 'requested', refund_before: new Date(), until_at: new Date() })
    .execute()

test('a withdrawal after the freeze stops the first export, and not those after it', async () => {
  const run = await aRun(on, one, 2)
  const [, item] = run.list
  await withdraw(item!.orderId)
  const { status, problem } = await exportFile(on, one, run.id)
  expect(status).toBe(409)
  expect(problem).toMatchObject({
    errors: [{ path: 'list.1', code: 'not_payable' }],
    deliveries: [{ deliveryId: item!.deliveryId, obstacle: 'on_hold', hold: 'withdrawal_open' }],
  })
  const exported = await anExportedRun(on, one)
  await withdraw(exported.list[0]!.orderId)
  expect((await exportFile(on, one, exported.id)).status).toBe(200)
})

test('an address that changed after the freeze stops the first export', async () => {
  const delivery = await aDueDelivery(on)
  const run = (await freeze(on, one, [delivery.id], '100')).body
  await updateOrderRow(db, delivery.order.id, { fabAddress: sampleTokenAddress('another address') })
  expect((await exportFile(on, one, run.id)).problem.deliveries).toMatchObject([
    { obstacle: 'address', hold: null },
  ])
})

test('a run of other network settings is not exported', async () => {
  const run = await aRun(on, one)
  await sql`update payout_run set network = 'bitcoin test' where id = ${run.id}`.execute(db)
  expect((await exportFile(on, one, run.id)).status).toBe(409)
})
