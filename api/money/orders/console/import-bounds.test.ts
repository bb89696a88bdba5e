import { shownReference } from '../../../platform/text/order-reference.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const today = new Date().toISOString().slice(0, 10)
const finance = await aSignedInMember(started, { manage_finance: 2 })
const buyer = await aSignedInMember(started)

const plan = async (csv: string) => {
  const file = Buffer.from(csv).toString('base64')
  return (await started.call(api.importOrderPayments, { body: { file } }, { token: finance.token })).body
}

test('twice as many payments take twice the time, not four times', { tags: ['nightly'] }, async () => {
  const { rows } = await sql<{ reference: string }>`
    insert into token_order (member_id, pay_method, amount, fab_qty)
    select ${buyer.id}, 'ETH', 1.5, 5 from generate_series(1, 1000) returning reference`.execute(
    started.services.db,
  )
  const fileOf = (count: number) =>
    ['reference,txId,amount,date,complete']
      .concat(
        rows
          .slice(0, count)
          .map(
            ({ reference }, at) =>
              `${shownReference(reference)},0x${String(at).padStart(64, '0')},1.5,${today},yes`,
          ),
      )
      .join('\n')
  const timeOf = (file: string) =>
    processorTimeOf(async () => expect((await plan(file)).state).toBe('checked'))
  await timeOf(fileOf(250))
  // A busy machine may slow down one measurement, but quadratic growth shows up in every attempt.
  let ratio = Infinity
  for (let tries = 0; tries < 3 && ratio >= 8; tries += 1) {
    const few = await timeOf(fileOf(250))
    ratio = (await timeOf(fileOf(1000))) / few
  }
  expect(ratio).toBeLessThan(8)
})

test.each([
  ['columns', 'a,'.repeat(500_000), 'refused'],
  ['unknown columns', `reference,txId,amount,${'x,'.repeat(40)}\n1,2,3`, 'mapping'],
  ['lines', `reference,txId,amount\n${'1\n'.repeat(500_000)}`, 'refused'],
])('a file with too many %s is answered in short', async (_, file, state) => {
  const answer = await plan(file)
  expect(answer.state).toBe(state)
  expect(answer.columns.length).toBeLessThanOrEqual(100)
})

test('names the first of many wrong lines and counts the rest', async () => {
  const { state, problems, open } = await plan(`reference,txId,amount\n${',,x\n'.repeat(1000)}`)
  expect(state).toBe('checked')
  expect(open).toBe(1000)
  expect(problems).toHaveLength(201)
  expect(problems.at(-1)).toMatchObject({ line: 0, problem: 'more', value: '800' })
})
