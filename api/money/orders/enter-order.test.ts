import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { aSale, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const member = await aSignedInMember(started)

const enter = (body: object, memberId = member.id) =>
  call(api.createOrder, { body: { memberId, ...body } }, { token: finance.token })
const problemsOf = async (body: object) =>
  (await enter(body)).problem.errors?.map(({ path, code }) => [path, code])

test('entering an order as completed needs an amount and a reason', async () => {
  const completed = { status: 'Completed', fabQty: '10' }
  expect(await problemsOf(completed)).toEqual([
    ['amount', 'required'],
    ['reason', 'required'],
  ])
  expect(await problemsOf({ ...completed, amount: null, reason: 'Paid.' })).toEqual([['amount', 'required']])
  expect(await problemsOf({ ...completed, amount: '1.5' })).toEqual([['reason', 'required']])
})

test('entering an order as completed records the payment, by the officer', async () => {
  const reason = 'Paid in cash.'
  const { body } = await enter({ status: 'completed', fabQty: '10', amount: '1.5', reason })
  const detail = (await call(api.getConsoleOrder, { params: { id: body._id } }, { token: finance.token }))
    .body
  expect(detail).toMatchObject({ paidAmount: '1.5', difference: '0' })
  expect(detail.steps.at(-1)).toMatchObject({
    kind: 'completed',
    by: { id: finance.id },
    reason,
    changes: [{ field: 'paidAmount', before: null, after: '1.5' }],
  })
})

test.each([
  ['1.5', 'order-completed'],
  ['0', 'order-completed-unpaid'],
])('an order entered as completed for %s is emailed to its member and audited', async (amount, kind) => {
  const buyer = await aSignedInMember(started)
  const fabAddress = sampleTokenAddress(amount)
  const values = { fabQty: '10', fabAddress, amount, payMethod: 'Cash', reason: 'Agreed.' }
  const { body } = await enter({ status: 'completed', ...values }, buyer.id)
  const kinds = (await mailsTo(buyer.email)).map((mail) => mail.kind)
  expect(kinds).toEqual([kind])
  const audited = await services.db
    .selectFrom('audit_entry')
    .select('detail')
    .where('subject_id', '=', body._id)
    .where('action', '=', 'order-created')
    .executeTakeFirstOrThrow()
  expect(audited.detail).toEqual({
    status: 'completed',
    changes: [
      'payMethod: – → Cash',
      `amount: – → ${amount}`,
      'fabQty: – → 10',
      `fabAddress: – → ${fabAddress}`,
      `paidAmount: – → ${amount}`,
    ],
  })
})

test.each(['pending', 'completed', 'cancelled'])(
  'checks addresses of an order entered as %s',
  async (status) => {
    const entered = { status, fabQty: '10', amount: '1.5', reason: 'Agreed.' }
    expect(await problemsOf({ ...entered, fabAddress: 'F1' })).toEqual([['fabAddress', 'address_length']])
    expect((await problemsOf({ ...entered, ethAddress: '0x12' }))?.[0]?.[0]).toBe('ethAddress')
    expect((await problemsOf({ ...entered, btcAddress: 'nowhere' }))?.[0]?.[0]).toBe('btcAddress')
  },
)

test('a quantity that the amount does not buy needs a reason', async () => {
  await aSale(started)
  const entered = { payMethod: 'BTC', amount: '1', fabQty: '130000' }
  expect(await problemsOf(entered)).toEqual([['reason', 'required']])
  expect(await problemsOf({ ...entered, fabQty: '1' })).toEqual([['reason', 'required']])
  expect((await enter({ ...entered, fabQty: '120500' })).status).toBe(201)
  expect((await enter({ ...entered, reason: 'Agreed by contract.' })).status).toBe(201)
  expect((await enter({ ...entered, payMethod: 'Cash' })).status).toBe(201)
})

test('no one can enter an order for a recent price editor', async () => {
  await aSale(started)
  const setter: TestMember = await aSignedInMember(started, { manage_coins: 2 })
  await call(
    api.updateSaleSettings,
    { body: { ...saleSettings(), quoteMinutes: 25 } },
    { token: setter.token },
  )
  const entered = { payMethod: 'BTC', amount: '1', fabQty: '120000', reason: 'Agreed.' }
  for (const status of ['pending', 'completed'])
    expect((await enter({ ...entered, status }, setter.id)).problem.code).toBe('own_price')
  expect((await enter({ ...entered, status: 'cancelled' }, setter.id)).status).toBe(201)
  await services.db.deleteFrom('sale_setter').execute()
  expect((await enter(entered, setter.id)).problem?.code).toBeUndefined()
})

test('a repeated request isn’t answered once its sender lost the right to enter orders', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const send = () =>
    call(
      api.createOrder,
      { body: { memberId: member.id, fabQty: '10', amount: '1.5' } },
      { token: officer.token, headers: { 'idempotency-key': 'entered-once' } },
    )
  const first = await send()
  expect(first.status).toBe(201)
  expect((await send()).body._id).toBe(first.body._id)
  await services.db.updateTable('member').set({ manage_finance: 0 }).where('id', '=', officer.id).execute()
  expect((await send()).problem.code).toBe('forbidden')
})

test('an order isn’t completed after its member’s account was erased', async () => {
  const buyer = await aSignedInMember(started)
  const { body } = await enter(
    { fabQty: '10', amount: '1.5', payMethod: 'Cash', reason: 'Agreed.' },
    buyer.id,
  )
  await services.db
    .updateTable('member')
    .set({ erased_at: new Date(), active: false })
    .where('id', '=', buyer.id)
    .execute()
  const update = (change: object) =>
    call(api.updateOrder, { body: { _id: body._id, ...change } }, { token: finance.token })
  const completed = { status: 'completed', paidAmount: '1.5', reason: 'Paid.' }
  expect((await update(completed)).problem.errors).toMatchObject([{ path: 'memberId', code: 'unknown' }])
  expect((await update({ status: 'cancelled', reason: 'The account was erased.' })).status).toBe(200)
})
