import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { aBankOrder, bankMapping, importStatement, linesAbout } from '#tests/statements.ts'

/*
 * No one unknowingly uses the payment that a line shows for a second order, however the first order got it: by hand, from
 * another line, or as the reason for a refund.
 */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call } = started
const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
const [officer, colleague, third] = [await anOfficer(), await anOfficer(), await anOfficer()]
const today = new Date().toISOString().slice(0, 10)
const reason = 'Seen in the bank account.'

async function anUnpaid(owner?: TestMember, amount = '100') {
  const member = owner ?? (await aSignedInMember(started))
  return { ...(await aBankOrder(started, member, { amount })), member }
}
const aPair = async () => {
  const first = await anUnpaid()
  return [first, await anUnpaid(first.member)] as const
}
const csv = (...rows: string[]) => `Date;Amount;Purpose\n${rows.join('\n')}\n`
const importing = async (text: string) => {
  const { done } = await importStatement(started, officer, text, bankMapping)
  return [...done.lines.map(({ effect }) => effect), ...done.problems.map(({ problem }) => problem)]
}
const lineAbout = async (text: string) => (await linesAbout(started, officer, text))[0]!
const update = (by: TestMember, id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
const record = async (id: string, paidAmount = '100') =>
  expect((await update(colleague, id, { paidAmount, reason })).status).toBe(200)
type Assigning = { by?: TestMember; confirmsDuplicate?: boolean }
const resolve = {
  assign: ({ id }: { id: string }, { reference }: { reference: string }, more: Assigning = {}) => {
    const { by = officer, ...confirms } = more
    const request = { params: { id }, body: { reference, reason, ...confirms } }
    return call(api.assignStatementLine, request, { token: by.token })
  },
  dismiss: ({ id }: { id: string }) =>
    call(api.dismissStatementLine, { params: { id }, body: { reason } }, { token: officer.token }),
  reopen: ({ id }: { id: string }) =>
    call(api.reopenStatementLine, { params: { id }, body: { reason } }, { token: officer.token }),
}
const complete = async (by: TestMember, id: string) =>
  (await update(by, id, { status: 'completed' })).body.status
const paidOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: officer.token })).body.paidAmount

async function withdraw({ id, member }: Awaited<ReturnType<typeof anUnpaid>>) {
  const body = { refundAddress: 'DE1' }
  const asked = await call(api.requestWithdrawal, { params: { id }, body }, { token: member.token })
  const params = { id: asked.body.id }
  const accepted = await call(api.acceptWithdrawal, { params, body: {} }, { token: third.token })
  expect(accepted.body.state).toBe('accepted')
  return async (by: TestMember) => {
    const refund = { amount: '100', txId: `Refund of ${id}`, paidOn: today, reason }
    return (await call(api.recordRefund, { params, body: refund }, { token: by.token })).body.state
  }
}

/** Assigns the line, which is refused at first, and then confirmed. */
async function confirming(line: { id: string }, order: { id: string; reference: string }) {
  expect((await resolve.assign(line, order)).problem.errors).toMatchObject([
    { path: 'reference', code: 'looks_imported' },
  ])
  expect(await paidOf(order.id)).toBeNull()
  expect((await resolve.assign(line, order, { confirmsDuplicate: true })).status).toBe(200)
  expect(await paidOf(order.id)).toBe('100')
}

/** A line that shows the payment of one order, and two unpaid orders of the same member. */
async function aDoubtfulLine() {
  const [paid, other] = await aPair()
  await record(paid.id)
  await importing(csv(`${today};100.00;${paid.reference}`))
  return { line: await lineAbout(paid.reference), other, another: await anUnpaid(paid.member) }
}
const refused = { errors: [{ path: 'reference', code: 'looks_imported' }] }

test('a double-click, or a colleague who didn’t see the warning, doesn’t confirm a possible duplicate', async () => {
  const { line, other, another } = await aDoubtfulLine()
  for (const { problem } of await Promise.all([resolve.assign(line, other), resolve.assign(line, other)]))
    expect(problem).toMatchObject(refused)
  for (const order of [other, another])
    expect((await resolve.assign(line, order, { by: colleague })).problem).toMatchObject(refused)
  expect([await paidOf(other.id), await paidOf(another.id)]).toEqual([null, null])
})

test('a line isn’t marked as a possible duplicate before step-up authentication', async () => {
  const { line, other } = await aDoubtfulLine()
  const by = await anOfficer()
  await letProofAge(started, by)
  expect((await resolve.assign(line, other, { by })).problem.code).toBe('step_up_required')
  expect((await lineAbout(line.reference)).problem).toBe('other_payment')
})

test('nobody can confirm a possible duplicate before anyone was warned', async () => {
  const { line, other } = await aDoubtfulLine()
  expect((await resolve.assign(line, other, { confirmsDuplicate: true })).problem).toMatchObject(refused)
  expect((await resolve.assign(line, other, { confirmsDuplicate: true })).status).toBe(200)
})

test('a line that names an order with a payment that finance entered pays another one only after a warning', async () => {
  const [paid, other] = await aPair()
  await record(paid.id)
  expect(await importing(csv(`${today};100.00;${paid.reference}`))).toEqual(['other_payment'])
  const line = await lineAbout(paid.reference)
  await confirming(line, other)
  // The officer who confirmed that the line pays the second order can’t also complete it, or the first one, alone.
  for (const { id } of [other, paid]) {
    expect(await complete(officer, id)).toBe('pending')
    expect(await complete(third, id)).toBe('completed')
  }
})

test('a colleague completes the order alone after someone else confirmed the line', async () => {
  const [paid, other] = await aPair()
  await record(paid.id)
  await importing(csv(`${today};100.00;${paid.reference}`))
  await confirming(await lineAbout(paid.reference), other)
  expect(await complete(third, other.id)).toBe('completed')
})

test('the warning shows the order that has the payment', async () => {
  const [paid, other] = await aPair()
  await record(paid.id)
  await importing(csv(`${today};100.00;Both ${paid.reference} ${other.reference}`))
  expect(await lineAbout(paid.reference)).toMatchObject({ problem: 'ambiguous', orderId: null })
  await resolve.assign(await lineAbout(paid.reference), other)
  expect(await lineAbout(paid.reference)).toMatchObject({ problem: 'looks_imported', orderId: paid.id })
})

test.each(['dismissed', 'removed', 'refunded'])('a payment that was %s is still known', async (how) => {
  const [paid, other] = await aPair()
  await record(paid.id)
  await importing(csv(`${today};100.00;${paid.reference}`))
  const line = await lineAbout(paid.reference)
  if (how === 'dismissed') {
    expect((await resolve.dismiss(line)).status).toBe(200)
    expect((await resolve.reopen(line)).status).toBe(200)
  } else if (how === 'removed') await update(colleague, paid.id, { paidAmount: null, reason })
  else {
    const refund = await withdraw(paid)
    for (const by of [colleague, third]) await refund(by)
  }
  await confirming(line, other)
})

test('a payment that was only shown by the line, and then refunded, is known', async () => {
  const [paid, other] = await aPair()
  await importing(csv(`;100.00;${paid.reference}`))
  const refund = await withdraw(paid)
  expect([await refund(third), await refund(colleague)]).toEqual(['accepted', 'refunded'])
  await confirming(await lineAbout(paid.reference), other)
})

test('a line that names no order fits the payment of the same amount and day that finance entered', async () => {
  const [paid, other] = [await anUnpaid(undefined, '312'), await anUnpaid(undefined, '312')]
  await record(paid.id, '312')
  await importing(csv(`${today};312.00;For tokens`, `${today};311.00;For tokens`))
  const lines = await linesAbout(started, officer, 'For tokens')
  const [like, unlike] = ['312', '311'].map((amount) => lines.find((line) => line.amount === `${amount}.00`)!)
  expect((await resolve.assign(like!, other)).problem.errors).toMatchObject([{ code: 'looks_imported' }])
  expect((await resolve.assign(unlike!, other)).status).toBe(200)
})

test('a line that finance assigned to another order is known in a file with another text', async () => {
  const [named, other] = await aPair()
  await importing(csv(`;100.00;${named.reference}`))
  expect((await resolve.assign(await lineAbout(named.reference), other)).status).toBe(200)
  expect(await importing(csv(`${today};100.00;Thank you ${named.reference}`))).toEqual(['looks_imported'])
  expect(await paidOf(named.id)).toBeNull()
})

test('a payment that finance moved to another order by hand isn’t recorded again for the first one', async () => {
  const [wrong, right] = [await anUnpaid(undefined, '273'), await anUnpaid(undefined, '273')]
  await record(wrong.id, '273')
  await update(colleague, wrong.id, { paidAmount: null, reason })
  await record(right.id, '273')
  expect(await importing(csv(`${today};273.00;${wrong.reference}`))).toEqual(['looks_imported'])
  expect(await paidOf(wrong.id)).toBeNull()
})

test('a line that names an unpaid order of the member needs no confirmation', async () => {
  const [named, other] = await aPair()
  await importing(csv(`;100.00;${named.reference}`))
  expect((await resolve.assign(await lineAbout(named.reference), other)).status).toBe(200)
  expect(await complete(officer, other.id)).toBe('completed')
})

const total = (purpose: string) =>
  `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">150</Amt><CdtDbtInd>CRDT</CdtDbtInd>
  <Sts>BOOK</Sts><BookgDt><Dt>${today}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>${purpose}</Ustrd></RmtInf>
  </TxDtls><TxDtls><RmtInf><Ustrd>Another</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`

test.each(['open', 'dismissed'])(
  'whoever imported the line can’t refund the payment alone if a colleague entered it: %s',
  async (state) => {
    const order = await anUnpaid()
    expect(await importing(total(order.reference))).toEqual(['several_payments'])
    await record(order.id)
    const { id } = await lineAbout(order.reference)
    if (state === 'dismissed')
      await call(api.dismissStatementLine, { params: { id }, body: { reason } }, { token: colleague.token })
    const refund = await withdraw(order)
    expect(await refund(officer)).toBe('accepted')
    expect(await refund(third)).toBe('refunded')
  },
)

test('whoever imported a line that fits the payment can’t refund it alone', async () => {
  const [fitting, other] = [await anUnpaid(undefined, '457'), await anUnpaid(undefined, '458')]
  await importing(csv(`${today};457.00;Tokens`, `${today};459.00;Tokens`))
  for (const [order, state] of [
    [fitting, 'accepted'],
    [other, 'refunded'],
  ] as const) {
    await record(order.id, order === fitting ? '457' : '458')
    expect(await (await withdraw(order))(officer)).toBe(state)
  }
})

test('whoever imported a line that names the order can’t refund it alone, even if another order got the line', async () => {
  const [named, other] = await aPair()
  await importing(csv(`;100.00;${named.reference}`))
  const { id } = await lineAbout(named.reference)
  const body = { reference: other.reference, reason }
  await call(api.assignStatementLine, { params: { id }, body }, { token: colleague.token })
  await update(third, named.id, { paidAmount: '100', reason })
  expect(await (await withdraw(named))(officer)).toBe('accepted')
})
