import { afterAll, expect, test } from 'vitest'
import { checkOfficial, findOwnOrderByAddress } from '#contract/publishing/official.ts'
import { aSignedInMember, anOrder } from '#tests/builders.ts'
import { as } from '#tests/step-up.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ PUBLIC_URL: 'https://coin.example' }, afterAll)
const { call } = started
const mine = '0x52908400098527886E0F7030069857D2E4169EE7'
const old = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'
const owner = await aSignedInMember(started)
const other = await aSignedInMember(started)
const finance = await aSignedInMember(started, { manage_finance: 2 })
const order = await anOrder(started, owner.id, { receivingAddress: mine, payChain: 'ethereum' })
const closed = await anOrder(started, owner.id, {
  receivingAddress: old,
  payChain: 'bitcoin',
  payMethod: 'BTC',
  status: 'cancelled',
})

const find = async (text: string, member = owner) =>
  (await call(findOwnOrderByAddress, { body: { text } }, as(member))).body.order

test('a member who pastes the address of their own order sees which order it is', async () => {
  const found = { orderId: order.id, isOpen: true, isAlike: false }
  for (const text of [mine, mine.toLowerCase(), `ethereum:${mine}@1?value=2`, ` ${mine}\n`])
    expect([text, await find(text)]).toMatchObject([text, found])
  expect(await find(old)).toMatchObject({ orderId: closed.id, isOpen: false, isAlike: false })
})

test.each([
  ['a letter of another script', mine.replace('E0F', 'Е0F')],
  ['O for 0', mine.replace('E0F', 'EOF')],
  ['the same ends', `${mine.slice(0, 8)}${'1'.repeat(28)}${mine.slice(-6)}`],
  ['another case', old.toLowerCase()],
])('an address like that of an own order is said to be another one: %s', async (_, text) => {
  expect(await find(text)).toMatchObject({ isAlike: true })
})

test('reveals nothing to anyone else: neither members, staff, nor visitors', async () => {
  for (const text of [mine, mine.replace('E0F', 'EOF'), old]) {
    expect(await find(text, other)).toBeNull()
    expect(await find(text, finance)).toBeNull()
  }
  expect((await call(findOwnOrderByAddress, { body: { text: mine } })).status).toBe(401)
  const asked = await call(checkOfficial, { body: { text: mine } }, { ...as(owner), ip: '10.9.0.1' })
  expect(JSON.stringify(asked.body)).not.toContain(order.id)
})

test('an address of no order belongs to none', async () => {
  for (const text of ['hello', 'https://coin.example', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', owner.email])
    expect(await find(text)).toBeNull()
})

test('limits requests per member', async () => {
  const asking = await aSignedInMember(started)
  const statuses = []
  for (let n = 0; n < 61; n += 1)
    statuses.push((await call(findOwnOrderByAddress, { body: { text: mine } }, as(asking))).status)
  expect(statuses.indexOf(429)).toBe(60)
})
