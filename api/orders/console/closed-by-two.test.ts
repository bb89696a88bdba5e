import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { ownAddress } from '#tests/own-chain.ts'

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call } = started
const [first, second] = [await anOfficer(), await anOfficer()]

function anOfficer() {
  return aSignedInMember(started, { manage_finance: 2 })
}

async function anOrderFor(fabQty: string) {
  const { id } = await aSignedInMember(started)
  return anOrder(started, id, { fabQty, email: 'buyer@example.org' })
}

const change = (by: TestMember, id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
const complete = (by: TestMember, id: string) => change(by, id, { status: 'completed' })
const read = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: first.token })).body

const address = ownAddress
test.each([
  { fabAddress: address },
  { ethAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  { btcAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
  { fabQty: '49999' },
])('what two completed one alone does not change: %j', async (fields) => {
  const { id } = await anOrderFor('60000')
  await complete(first, id)
  await complete(second, id)
  const before = await read(id)
  const [path] = Object.keys(fields)
  for (const by of [first, second])
    expect((await change(by, id, { ...fields, reason: 'A typing error.' })).problem.errors).toMatchObject([
      { path, code: 'completed_by_two' },
    ])
  expect(await read(id)).toEqual(before)
  // What stands there already is no change; what decides nothing is corrected as ever.
  expect((await change(first, id, { fabQty: '60000' })).status).toBe(200)
  expect((await change(first, id, { email: 'other@example.org', reason: 'As asked.' })).status).toBe(200)
})

test.each([
  { ethAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  { btcAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
])(
  'where a cancelled order is paid back to is filled in or corrected with a reason, and the member reads both: %j',
  async (fields) => {
    const { id: memberId, email } = await aSignedInMember(started)
    const { id } = await anOrder(started, memberId, { fabQty: '60000' })
    await change(first, id, { status: 'cancelled' })
    expect((await change(second, id, fields)).problem.errors).toMatchObject([
      { path: 'reason', code: 'required' },
    ])
    expect(await change(second, id, { ...fields, reason: 'As the member wrote.' })).toMatchObject({
      status: 200,
      body: fields,
    })
    const mail = (await started.mailsTo(email)).at(-1)!
    expect(mail.kind).toBe('order-corrected')
    expect(mail.text).toContain(`– → ${Object.values(fields)[0]}`)
    expect(mail.text).toContain('As the member wrote.')
  },
)
