import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, anEmail, goodPassword } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo } = started

let network = 0
const aClient = () => ({ ip: `172.20.${(network += 1) >> 8}.${network & 255}` })

const ambassador = (email: string) => ({
  email,
  fullName: 'Sample Person',
  city: 'Reykjavik',
  country: 'Iceland',
  socialMedia: [],
  description: 'A sample.',
})
type From = { ip: string }
const asks = {
  signUp: (email: string, from: From) =>
    call(api.createMember, { body: { email, password: 'password of a stranger' } }, from),
  resend: (email: string, from: From) => call(api.resendActivation, { body: { email } }, from),
  reset: (email: string, from: From) => call(api.requestPasswordReset, { body: { email } }, from),
  ambassador: (email: string, from: From) => call(api.applyAsAmbassador, { body: ambassador(email) }, from),
}
const count = async (email: string, kind: string) =>
  (await mailsTo(email)).filter((mail) => mail.kind === kind).length

test('one client causes three mails of a sort to an address', async () => {
  const { email } = await aSignedInMember(started)
  const client = aClient()
  for (let n = 0; n < 6; n += 1) await call(api.requestPasswordReset, { body: { email } }, client)
  expect(await count(email, 'password-reset')).toBe(3)
})

test('whatever strangers use up, a link to set the password lies in the mailbox', async () => {
  for (const network of ['one', 'many']) {
    const { email } = await aSignedInMember(started)
    const one = aClient()
    for (let n = 0; n < 12; n += 1) {
      const from = network === 'one' ? one : aClient()
      await asks.signUp(email, from)
      await asks.ambassador(email, from)
    }
    const before = await count(email, 'password-reset')
    await call(api.requestPasswordReset, { body: { email } }, aClient())
    expect([network, (await count(email, 'password-reset')) > 0]).toEqual([network, true])
    expect(before).toBeLessThan(6)
  }
})

test('an owner who waits for a code gets one although strangers ask for ambassador mails and resets', async () => {
  const email = anEmail()
  for (let n = 0; n < 8; n += 1) {
    const from = aClient()
    await asks.ambassador(email, from)
    await asks.reset(email, from)
  }
  await call(api.createMember, { body: { email, password: goodPassword } }, aClient())
  expect(await count(email, 'activation')).toBe(1)
})

test('an address gets a bounded number of mails an hour from however many clients', async () => {
  const email = anEmail()
  for (let n = 0; n < 10; n += 1) {
    const from = aClient()
    await Promise.all(Object.values(asks).map((ask) => ask(email, from)))
  }
  expect((await mailsTo(email)).length).toBeLessThanOrEqual(12)
})

test('of 60 sign-ups at once from one client 30 are taken, the others cost no hash and no mail', async () => {
  const client = aClient()
  const emails = Array.from({ length: 60 }, anEmail)
  const answers = await Promise.all(
    emails.map((email) => call(api.createMember, { body: { email, password: goodPassword } }, client)),
  )
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  expect(Number(answers.find(({ status }) => status === 429)!.headers['retry-after'])).toBeGreaterThan(0)
  const mails = await Promise.all(emails.map(mailsTo))
  expect(mails.flat()).toHaveLength(30)
  const other = { body: { email: anEmail(), password: goodPassword } }
  expect((await call(api.createMember, other, aClient())).status).toBe(201)
})

test.each([
  ['resets', asks.reset],
  ['re-sends', asks.resend],
] as const)('%s are limited per client over all addresses, known or not', async (_, ask) => {
  const client = aClient()
  const statuses = []
  for (let n = 0; n < 23; n += 1)
    statuses.push((await ask(n % 2 ? anEmail() : (await aSignedInMember(started)).email, client)).status)
  expect(statuses.filter((status) => status === 202)).toHaveLength(20)
  expect(statuses.slice(20)).toEqual([429, 429, 429])
})
