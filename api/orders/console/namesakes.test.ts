import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call } = started
const dana = () => aSignedInMember(started, { manage_finance: 2, display_name: 'Dana' })
const [first, second, owner] = [await dana(), await dana(), await dana()]

test('two officers with one display name are told apart by address, except in the view of the owner', async () => {
  const { id } = await anOrder(started, owner.id, { fabQty: '60000', email: 'buyer@example.org' })
  const complete = (by: typeof first) => updatePaid(started, { _id: id, status: 'completed' }, by)
  const read = async (by: typeof first) => (await call(api.getConsoleOrder, { params: { id } }, as(by))).body
  await complete(first)
  expect((await read(second)).proposal?.by.name).toBe(`Dana (${first.email})`)
  expect((await complete(second)).body.status).toBe('completed')
  expect((await read(first)).steps.slice(-2)).toMatchObject([
    { kind: 'completion_proposed', by: { name: `Dana (${first.email})` } },
    { kind: 'completed', by: { name: `Dana (${second.email})` } },
  ])
  const own = await read(owner)
  expect(own.steps.find(({ kind }) => kind === 'completed')?.by?.name).toBe('Dana')
  expect(JSON.stringify(own)).not.toContain(second.email)
})
