import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aSignedInMember, anEmail } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo } = started
const { db } = started.services

let clients = 0
const aClient = () => `198.18.${(clients += 1) >> 8}.${clients & 255}`
const apply = (email: string, city = 'Oslo', ip = aClient()) =>
  call(
    api.applyAsAmbassador,
    {
      body: { email, fullName: 'Sample Applicant', city, country: 'Norway', description: 'Evening classes.' },
    },
    { ip },
  )
const codesOf = async (email: string) =>
  (await mailsTo(email)).map(({ text }) => /\/ambassador-program\/status\/(\S+)/.exec(text)![1]!)
const ask = (code: string, ip = aClient()) => call(api.readAmbassadorStatus, { body: { code } }, { ip })
const stored = (email: string) =>
  db.selectFrom('ambassador_application').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

test('the receipt contains a link that shows only status and date', async () => {
  const email = anEmail()
  await apply(email)
  const [code] = await codesOf(email)
  const row = await stored(email)
  const answer = await ask(code!)
  expect([answer.status, answer.body]).toEqual([
    200,
    { status: 'received', at: row.created_at.toISOString() },
  ])
  const { rows } = { rows: await db.selectFrom('ambassador_status_link').selectAll().execute() }
  expect(JSON.stringify(rows)).not.toContain(code)
})

test('staff see neither the link nor its code in the outbox', async () => {
  const email = anEmail()
  await apply(email)
  const [code] = await codesOf(email)
  const reader = await aSignedInMember(started, { manage_employee: 2 })
  const [mail] = (await call(api.listMails, { query: { recipient: email } }, as(reader))).body
  const { body } = await call(api.getMail, { params: { id: mail!.id } }, as(reader))
  expect(body.content).not.toBeNull()
  expect(JSON.stringify(body)).not.toContain(code)
})

test('the link shows the decision with its date', async () => {
  const email = anEmail()
  await apply(email)
  const [code] = await codesOf(email)
  const { id } = await stored(email)
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  const { lastUpdated } = (await call(api.getAmbassadorApplication, { params: { id } }, as(officer))).body
  const body = { reason: 'Enough of us in this city.', isReasonTold: false, lastUpdated }
  await call(api.declineAmbassadorApplication, { params: { id }, body }, as(officer))
  const { state_at } = await stored(email)
  expect((await ask(code!)).body).toEqual({ status: 'declined', at: state_at.toISOString() })
})

test('unknown, expired, and erased links get the same response and reveal nothing', async () => {
  const [expired, erased] = [anEmail(), anEmail()]
  await apply(expired)
  await apply(erased)
  const codes = ['nobody-has-this-one', (await codesOf(expired))[0]!, (await codesOf(erased))[0]!]
  const { id } = await stored(expired)
  await db
    .updateTable('ambassador_status_link')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('application_id', '=', id)
    .execute()
  await db.deleteFrom('ambassador_application').where('email', '=', erased).execute()
  const answers = await Promise.all(codes.map((code) => ask(code)))
  expect(new Set(answers.map(({ problem }) => problem.code))).toEqual(new Set(['code_invalid']))
  await cleanUp(started.services)
  const left = await db
    .selectFrom('ambassador_status_link')
    .select('code_hash')
    .where('application_id', '=', id)
    .execute()
  expect(left).toEqual([])
})

test('another application from the same address renews earlier links', async () => {
  const email = anEmail()
  await apply(email)
  const { id } = await stored(email)
  const soon = new Date(Date.now() + DAY)
  await db
    .updateTable('ambassador_status_link')
    .set({ expires_at: soon })
    .where('application_id', '=', id)
    .execute()
  await apply(email, 'Bergen')
  const links = await db
    .selectFrom('ambassador_status_link')
    .select('expires_at')
    .where('application_id', '=', id)
    .execute()
  expect(links).toHaveLength(2)
  for (const { expires_at } of links) expect(expires_at.getTime()).toBeGreaterThan(Date.now() + 89 * DAY)
  const [first, second] = await codesOf(email)
  expect((await ask(first!)).body).toEqual((await ask(second!)).body)
})

test('keeps at most ten links per address when strangers apply with it', async () => {
  const email = anEmail()
  for (let n = 0; n < 12; n += 1) {
    await db.deleteFrom('throttle').execute()
    await apply(email)
  }
  const codes = await codesOf(email)
  expect(codes).toHaveLength(12)
  const answers = await Promise.all(codes.map((code) => ask(code)))
  expect(answers.map(({ status }) => status)).toEqual([400, 400, ...Array<number>(10).fill(200)])
})

test('limits one client to 60 requests in 15 minutes without affecting others', async () => {
  const ip = '203.0.113.77'
  for (let n = 0; n < 60; n += 1) expect((await ask('no-such-code', ip)).status).toBe(400)
  expect(await ask('no-such-code', ip)).toMatchObject({ status: 429, problem: { code: 'rate_limited' } })
  expect((await ask('no-such-code')).status).toBe(400)
})
