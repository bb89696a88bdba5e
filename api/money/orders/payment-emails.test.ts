import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Which emails a member gets about money that finance records. */

const started = await startApi({}, afterAll)
const { call, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const reason = 'As the bank shows.'

async function anOrderAs(status: 'completed' | 'cancelled', paidAmount: string | null) {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, {
    payMethod: 'Bank',
    currency: 'EUR',
    fabQty: '5',
    amount: '100',
    status,
    paidAmount,
  })
  return {
    record: (change: object) =>
      call(api.updateOrder, { body: { _id: id, reason, ...change } }, { token: finance.token }),
    mails: async () => (await mailsTo(member.email)).filter(({ kind }) => kind.startsWith('order-')),
  }
}

test.each([
  ['alone', {}],
  ['with its transaction', { txId: 'Transfer 5' }],
  ['with its date', { paidAt: '2026-01-05T00:00:00.000Z' }],
])('a member learns that a payment arrived for their canceled order: %s', async (_, more) => {
  const { record, mails } = await anOrderAs('cancelled', null)
  expect((await record({ paidAmount: '100', ...more })).status).toBe(200)
  expect(await mails()).toMatchObject([{ kind: 'order-paid-cancelled' }])
  await record({ paidAmount: '99' })
  expect(await mails()).toMatchObject([
    { kind: 'order-paid-cancelled' },
    { kind: 'order-corrected', text: expect.stringMatching(/Amount received: 100 → 99/) },
  ])
})

test.each([{ paidAmount: '60' }, { paidAmount: '0' }, { paidAmount: null }])(
  'a member learns that less was received for their completed order than they were told: %j',
  async (less) => {
    const { record, mails } = await anOrderAs('completed', '100')
    expect((await record(less)).status).toBe(200)
    const [mail, ...others] = await mails()
    expect([mail?.kind, others]).toEqual(['order-corrected', []])
    expect(mail?.text).toContain(reason)
    expect(mail?.text).toMatch(/Amount received: 100 → (60|0|–)/)
  },
)

test('a member gets no email about more that was received for their completed order', async () => {
  const { record, mails } = await anOrderAs('completed', '100')
  await record({ paidAmount: '101' })
  expect(await mails()).toEqual([])
})

test('a member learns of a payment with only a date that arrived for their canceled order', async () => {
  const { record, mails } = await anOrderAs('cancelled', null)
  expect((await record({ paidAt: '2026-01-05T00:00:00.000Z' })).status).toBe(200)
  expect(await mails()).toMatchObject([{ kind: 'order-paid-cancelled' }])
})

test.each(['completed', 'cancelled'] as const)(
  'the email about a transaction that finance adds to a %s order announces no completion',
  async (status) => {
    const { record, mails } = await anOrderAs(status, null)
    const txId = `Transfer ${status}`
    expect((await record({ txId })).status).toBe(200)
    const [mail, ...others] = await mails()
    expect([mail?.kind, others]).toEqual(['order-transaction-added', []])
    expect(mail?.text).toContain(txId)
    expect(mail?.text).not.toContain('when the order is complete')
  },
)
