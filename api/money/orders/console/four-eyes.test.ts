import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { recordDue, updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { ownAddress } from '#tests/own-chain.ts'

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, services, mailsTo } = started
const [first, second] = [await anOfficer(), await anOfficer()]

function anOfficer() {
  return aSignedInMember(started, { manage_finance: 2 })
}

async function anOrderFor(fabQty: string | null, owner?: TestMember) {
  const member = owner ?? (await aSignedInMember(started))
  const row = await anOrder(started, member.id, { fabQty, email: 'buyer@example.org' })
  return { member, id: row.id, token: member.token }
}

const change = (by: TestMember, id: string, body: object) => updatePaid(started, { _id: id, ...body }, by)
const complete = (by: TestMember, id: string, body: object = {}) =>
  change(by, id, { status: 'completed', ...body })
const read = async (id: string, by: TestMember = first) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: by.token })).body
const decline = (by: TestMember, id: string, reason = 'The payment is not on the chain.') =>
  call(api.declineOrderCompletion, { params: { id }, body: { reason } }, { token: by.token })
const kinds = async (id: string) => (await read(id)).steps.map(({ kind }) => kind)

test('below the threshold one officer completes; above it the first proposes and another approves', async () => {
  const small = await anOrderFor('49999.99999999')
  expect((await complete(first, small.id)).body.status).toBe('completed')

  const large = await anOrderFor('50000')
  expect((await complete(first, large.id)).body.status).toBe('pending')
  expect(await read(large.id)).toMatchObject({
    takesTwo: true,
    twoPersonsFrom: '50000',
    proposal: { by: { id: first.id }, counts: true },
  })
  const again = await complete(first, large.id)
  expect(again).toMatchObject({
    status: 409,
    problem: { errors: [{ path: 'status', code: 'second_person' }] },
  })
  expect((await complete(second, large.id)).body.status).toBe('completed')
  expect(await kinds(large.id)).toEqual(['placed', 'completion_proposed', 'completed'])
  expect((await read(large.id)).steps.at(-1)?.by?.id).toBe(second.id)
})

test('an order of unknown quantity needs two approvals', async () => {
  const { id } = await anOrderFor(null)
  expect((await complete(first, id)).body.status).toBe('pending')
})

test('a quantity that is set while completing and that no rate can check needs two approvals', async () => {
  for (const fabQty of ['10', '50000']) {
    const { id } = await anOrderFor(null)
    expect((await complete(first, id, { fabQty })).body.status).toBe('pending')
    expect((await complete(second, id)).body.status).toBe('completed')
  }
})

test('the member sees a pending order like any other until the second approval', async () => {
  const { member, id } = await anOrderFor('60000')
  await recordDue(started, id)
  const of = { token: member.token }
  const seen = async () => [
    { ...(await call(api.getOrder, { params: { id } }, of)).body, updatedAt: '' },
    (await call(api.getOrderPayment, { params: { id } }, of)).body,
  ]
  const before = await seen()
  const mails = (await mailsTo(member.email)).length
  await complete(first, id, { reason: 'Seen on the chain.' })
  expect(await seen()).toEqual(before)
  await decline(second, id)
  expect(await seen()).toEqual(before)
  expect((await mailsTo(member.email)).length).toBe(mails)
  const exported = (await call(api.exportMember, {}, of)).body
  expect(JSON.stringify(exported)).not.toMatch(/propos|declin|Seen on the chain|not on the chain/)
})

test('emails the other officers, and the first one if the second declines', async () => {
  const { id } = await anOrderFor('60000')
  await complete(first, id)
  expect((await mailsTo(second.email)).at(-1)).toMatchObject({
    kind: 'staff-order-second',
    text: expect.stringContaining(`/console/orders/${id}`),
  })
  expect((await mailsTo(first.email)).map(({ kind }) => kind)).not.toContain('staff-order-second')
  expect((await decline(second, id)).body.status).toBe('pending')
  expect((await mailsTo(first.email)).at(-1)).toMatchObject({
    kind: 'staff-order-declined',
    text: expect.stringContaining('not on the chain'),
  })
  expect((await read(id)).proposal).toBeNull()
  expect((await decline(second, id)).problem.code).toBe('conflict')
})

test.each([
  ['a correction', (id: string) => change(second, id, { fabQty: '70000', reason: 'Agreed.' })],
  ['another amount received', (id: string) => change(second, id, { paidAmount: '3' })],
  [
    'a payment that its member names',
    async (id: string, member: TestMember) =>
      call(
        api.reportPayment,
        {
          params: { id },
          body: {
            txId: `0x${id
              .replaceAll(/[^\da-f]/g, '')
              .padEnd(64, '0')
              .slice(0, 64)}`,
          },
        },
        { token: member.token },
      ),
  ],
])('what the first saw is what the second confirms: %s ends the proposal', async (_, happen) => {
  const { member, id } = await anOrderFor('60000')
  await complete(first, id)
  expect((await happen(id, member)).status).toBe(200)
  expect((await read(id)).proposal?.counts ?? false).toBe(false)
  expect((await complete(second, id, { reason: 'Seen.' })).body.status).toBe('pending')
  expect((await complete(first, id, { reason: 'Seen.' })).body.status).toBe('completed')
})

test('an approval with a change counts as a first one, because no one has seen that change', async () => {
  const { id } = await anOrderFor('60000')
  await complete(first, id)
  const both = await complete(second, id, { paidAmount: '1.49', reason: 'Fees.' })
  expect(both.body.status).toBe('pending')
  expect((await read(id)).proposal?.by.id).toBe(second.id)
})

test('an approval by someone who lost the right is no longer valid', async () => {
  const gone = await anOfficer()
  const { id } = await anOrderFor('60000')
  await complete(gone, id)
  await services.db.updateTable('member').set({ manage_finance: 1 }).where('id', '=', gone.id).execute()
  expect((await read(id)).proposal?.counts).toBe(false)
  expect((await complete(second, id)).body.status).toBe('pending')
  expect((await complete(first, id)).body.status).toBe('completed')
})

test('officers can neither approve nor decline for their own order', async () => {
  const { id } = await anOrderFor('60000', second)
  expect((await read(id, second)).forbids).toBe('own')
  expect((await complete(second, id)).problem.code).toBe('forbidden')
  await complete(first, id)
  expect((await complete(second, id)).problem.code).toBe('forbidden')
  expect((await decline(second, id)).problem.code).toBe('forbidden')
})

test('two concurrent second approvals complete it once', async () => {
  const third = await anOfficer()
  const { member, id } = await anOrderFor('60000')
  await complete(first, id)
  const answers = await Promise.all([complete(second, id), complete(third, id)])
  expect(answers.map(({ body }) => body.status)).toEqual(['completed', 'completed'])
  expect((await kinds(id)).filter((kind) => kind === 'completed')).toHaveLength(1)
  expect(
    (await mailsTo(member.email)).filter(({ kind }) => kind === 'order-delivery-address-needed'),
  ).toHaveLength(1)
})

test('cannot be bypassed by entering as completed or raising a completed quantity', async () => {
  const member = await aSignedInMember(started)
  const entered = await call(
    api.createOrder,
    { body: { memberId: member.id, fabQty: '50000', status: 'completed' } },
    { token: first.token },
  )
  expect(entered.problem.errors).toMatchObject([{ path: 'status', code: 'second_person' }])
  const { id } = await anOrderFor('10')
  await complete(first, id)
  const raised = await change(first, id, { fabQty: '50000', reason: 'A mistake.' })
  expect(raised.body).toMatchObject({ status: 'completed', exactFabQty: '10' })
})

test('proposing and declining need step-up authentication', async () => {
  const officer = await anOfficer()
  const { id } = await anOrderFor('60000')
  await complete(first, id)
  await letProofAge(started, officer)
  expect((await complete(officer, id)).problem.code).toBe('step_up_required')
  expect((await decline(officer, id)).problem.code).toBe('step_up_required')
})

test('completing with more or less than the amount due needs a reason', async () => {
  const { id } = await anOrderFor('10')
  await change(first, id, { paidAmount: '1.4', paidAt: '2026-01-05T10:00:00.000Z' })
  expect(await read(id)).toMatchObject({
    paidAmount: '1.4',
    paidAt: '2026-01-05T10:00:00.000Z',
    difference: '-0.1',
  })
  expect((await complete(first, id)).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
  expect((await complete(first, id, { reason: 'Fees of the bank.' })).body.status).toBe('completed')
})

const address = ownAddress
test('one officer corrects an order that is not completed, and the member sees the changes', async () => {
  const large = await anOrderFor('60000')
  await change(first, large.id, { fabAddress: address, amount: '2', reason: 'As the member wrote.' })
  const last = (await mailsTo(large.member.email)).at(-1)!.text
  expect(last).toContain('Amount: 1.5 → 2; ')
  expect(last).toContain(`address: – → ${address}`)
})

test('staff cannot see what colleagues propose about their own order', async () => {
  const owner = await anOfficer()
  const { id } = await anOrderFor('60000', owner)
  await change(first, id, { paidAmount: '1.5', reason: 'For colleagues.' })
  const asOwner = { token: owner.token }
  const seen = async () => {
    const query = { q: owner.email }
    const file = async (name: 'exportConsoleOrders' | 'exportOrderAccounts') =>
      String((await call(api[name], { query }, asOwner)).body)
    const { flags, proposal, steps } = await read(id, owner)
    return JSON.stringify([
      [flags, proposal, steps],
      (await call(api.listConsoleOrders, { query }, asOwner)).body.map((order) => order.flags),
      (await call(api.listConsoleOrders, { query: { flag: 'second_person' } }, asOwner)).body.filter(
        (order) => order.id === id,
      ),
      (await call(api.listNeedsAttention, {}, asOwner)).body.find(
        ({ what }) => what === 'orders_second_person',
      )?.count,
      await file('exportConsoleOrders'),
      await file('exportOrderAccounts'),
    ])
  }
  const before = await seen()
  expect(before).not.toContain('For colleagues.')
  await complete(first, id)
  expect((await read(id, second)).proposal?.by.id).toBe(first.id)
  expect(await seen()).toBe(before)
  await decline(second, id)
  expect(await seen()).toBe(before)
})

test('the accounting file names the author of the proposal that led to completion, and no other', async () => {
  const proposer = async (id: string) => {
    const { reference } = (await read(id)).order
    const file = await call(api.exportOrderAccounts, { query: { q: reference } }, { token: first.token })
    return String(file.body).trimEnd().split('\r\n').at(-1)!.split(',').at(-2)
  }
  const declined = await anOrderFor('60000')
  await complete(first, declined.id)
  await decline(second, declined.id)
  await change(second, declined.id, { fabQty: '10', reason: 'As agreed.' })
  await complete(second, declined.id)
  expect(await proposer(declined.id)).toBe('')
  const led = await anOrderFor('60000')
  await complete(first, led.id)
  await call(
    api.extendOrderDeadline,
    {
      params: { id: led.id },
      body: { payBefore: new Date(Date.now() + 9e7).toISOString(), reason: 'Asked.' },
    },
    { token: second.token },
  )
  await complete(second, led.id)
  expect(await proposer(led.id)).toBe(first.email)
})

test('two officers with one display name are told apart by address, except in the view of the owner', async () => {
  const dana = () => aSignedInMember(started, { manage_finance: 2, display_name: 'Dana' })
  const [first, second, owner] = [await dana(), await dana(), await dana()]
  const { id } = await anOrder(started, owner.id, { fabQty: '60000', email: 'buyer@example.org' })
  await complete(first, id)
  expect((await read(id, second)).proposal?.by.name).toBe(`Dana (${first.email})`)
  expect((await complete(second, id)).body.status).toBe('completed')
  expect((await read(id, first)).steps.slice(-2)).toMatchObject([
    { kind: 'completion_proposed', by: { name: `Dana (${first.email})` } },
    { kind: 'completed', by: { name: `Dana (${second.email})` } },
  ])
  const own = await read(id, owner)
  expect(own.steps.find(({ kind }) => kind === 'completed')?.by?.name).toBe('Dana')
  expect(JSON.stringify(own)).not.toContain(second.email)
})
