import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started

let clients = 0
const fieldsOf = (email: string) => ({
  email,
  fullName: 'Sample Applicant',
  city: 'Oslo',
  country: 'Norway',
  socialMedia: ['https://social.example/sample', ' @sample '],
  description: 'I run a meet-up.\nEvery month.',
})

/** Each application comes from a different client. */
const apply = (body: object, ip = `203.0.113.${(clients += 1)}`, language = 'en') =>
  call(api.applyAsAmbassador, { body: body as never }, { ip, headers: { 'accept-language': language } })

const stored = (email: string) =>
  services.db
    .selectFrom('ambassador_application')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .execute()

test('receives an application and sends a receipt in the sender’s language', async () => {
  const email = anEmail()
  const answer = await apply({ ...fieldsOf(email), email: ` ${email.toUpperCase()} ` })
  expect(answer).toMatchObject({ status: 201, body: { received: true } })
  expect(await stored(email)).toMatchObject([
    {
      full_name: 'Sample Applicant',
      city: 'Oslo',
      country: 'Norway',
      social_media: ['https://social.example/sample', '@sample'],
      description: 'I run a meet-up.\nEvery month.',
      status: 'received',
    },
  ])
  const chinese = anEmail()
  await apply(fieldsOf(chinese), undefined, 'zh-CN')
  const [english, other] = [(await mailsTo(email))[0]!, (await mailsTo(chinese))[0]!]
  expect([english.kind, other.kind]).toEqual(['ambassador-received', 'ambassador-received'])
  expect(english.text).not.toMatch(/\p{Script=Han}/u)
  expect(other.text).toMatch(/\p{Script=Han}/u)
})

test('allows omitting social media and the reason, and drops empty list entries', async () => {
  const email = anEmail()
  const { socialMedia: _, description: __, ...required } = fieldsOf(email)
  expect((await apply(required)).status).toBe(201)
  expect(await stored(email)).toMatchObject([{ social_media: [], description: '' }])
  await apply({ ...required, socialMedia: ['', '  ', 'a'] })
  expect(await stored(email)).toMatchObject([{ social_media: ['a'] }])
})

test('another application from the address updates the pending one, with the same response', async () => {
  const email = anEmail()
  const first = await apply(fieldsOf(email))
  const second = await apply({ ...fieldsOf(email), city: 'Bergen' })
  expect([second.status, second.body]).toEqual([first.status, first.body])
  expect(await stored(email)).toMatchObject([{ city: 'Bergen', status: 'received' }])
})

test('after a review starts, a new application leaves the old one unchanged', async () => {
  const email = anEmail()
  await apply(fieldsOf(email))
  await services.db
    .updateTable('ambassador_application')
    .set({ status: 'in_review' })
    .where('email', '=', email)
    .execute()
  await apply({ ...fieldsOf(email), city: 'Bergen' })
  expect((await stored(email)).map(({ city, status }) => [city, status])).toEqual([
    ['Bergen', 'received'],
    ['Oslo', 'in_review'],
  ])
})

test('merges ten concurrent applications from one address', async () => {
  const email = anEmail()
  const answers = await Promise.all(Array.from({ length: 10 }, () => apply(fieldsOf(email))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await stored(email)).toHaveLength(1)
})

test.each([
  [{ email: 'nobody' }, 'email', 'email'],
  [{ email: 'a@example.org, b@example.org' }, 'email', 'email'],
  [{ email: 'a@example.org\r\nBcc: b@example.org' }, 'email', 'email'],
  [{ email: '' }, 'email', 'required'],
  [{ fullName: ' ' }, 'fullName', 'required'],
  [{ fullName: 'x'.repeat(201) }, 'fullName', 'too_long'],
  [{ city: '' }, 'city', 'required'],
  [{ country: undefined }, 'country', 'required'],
  [{ country: 'a\r\nb' }, 'country', 'invalid'],
  [{ socialMedia: Array(21).fill('a') }, 'socialMedia', 'too_many'],
  [{ socialMedia: 'a,b' }, 'socialMedia', 'required'],
  [{ socialMedia: ['x'.repeat(201)] }, 'socialMedia.0', 'too_long'],
  [{ description: 'x'.repeat(5001) }, 'description', 'too_long'],
  [{ status: 'accepted' }, 'status', 'unknown'],
])('an application is refused by its field: %j', async (fields, path, code) => {
  const email = anEmail()
  const answer = await apply({ ...fieldsOf(email), ...fields })
  expect(answer).toMatchObject({ status: 400, problem: { code: 'validation_failed' } })
  expect(answer.problem.errors).toEqual([expect.objectContaining({ path, code })])
  expect(await stored(email)).toEqual([])
})

test('limits one client to 30 applications in 15 minutes without affecting others', async () => {
  // Tests the limit itself, which applies after the proof of work.
  Object.assign(started.services.config, { asksProofOfWork: false })
  onTestFinished(() => void Object.assign(started.services.config, { asksProofOfWork: true }))
  const send = (n: number, ip: string) => apply(fieldsOf(`flood${n}@example.org`), ip)
  for (let n = 0; n < 30; n += 1) expect((await send(n, '198.51.100.7')).status).toBe(201)
  const stopped = await send(30, '198.51.100.7')
  expect(stopped).toMatchObject({ status: 429, problem: { code: 'rate_limited' } })
  expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
  expect(await stored('flood30@example.org')).toEqual([])
  expect((await send(31, '198.51.100.8')).status).toBe(201)
})

test('sends at most six receipts to an address, one reserved for another client, with equal responses', async () => {
  const email = anEmail()
  for (let n = 0; n < 8; n += 1) expect((await apply(fieldsOf(email))).status).toBe(201)
  expect(await mailsTo(email)).toHaveLength(6)
})

test('no client can use up the receipt of the mailbox’s owner', async () => {
  const email = anEmail()
  for (let n = 0; n < 9; n += 1) await apply(fieldsOf(email), '203.0.113.250')
  const before = (await mailsTo(email)).length
  await apply({ ...fieldsOf(email), city: 'Bergen' })
  expect([before, (await mailsTo(email)).length]).toEqual([3, 4])
})
