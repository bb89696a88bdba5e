import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, anEmail, goodPassword } from '#tests/builders.ts'
import { startApi, type Answered } from '#tests/setup/start-api.ts'

// The limits behind proofs of work.
const started = await startApi({ PROOF_OF_WORK: 'off' }, afterAll)
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
/** Lets minutes pass for limits and links. */
async function pass(minutes: number) {
  const time = sql<Date>`resets_at - ${minutes} * interval '1 minute'`
  await started.services.db.updateTable('throttle').set({ resets_at: time }).execute()
  await started.services.db
    .updateTable('reset_code')
    .set({ expires_at: sql<Date>`expires_at - ${minutes} * interval '1 minute'` })
    .execute()
}
const mailsSoFar = async () => (await started.services.db.selectFrom('mail').select('id').execute()).length
const count = async (email: string, kind: string) =>
  (await mailsTo(email)).filter((mail) => mail.kind === kind).length

test('a client can trigger three emails of a kind to an address', async () => {
  const { email } = await aSignedInMember(started)
  const client = aClient()
  for (let n = 0; n < 6; n += 1) await call(api.requestPasswordReset, { body: { email } }, client)
  expect(await count(email, 'password-reset')).toBe(3)
})

test('a client can trigger three emails of all kinds to an address, and leaves the rest to others', async () => {
  const { email } = await aSignedInMember(started)
  const one = aClient()
  const before = (await mailsTo(email)).length
  for (let n = 0; n < 6; n += 1)
    for (const ask of n ? [asks.resend, asks.reset] : Object.values(asks).slice(0, 3)) await ask(email, one)
  expect((await mailsTo(email)).length - before).toBe(3)
  const two = aClient()
  for (let n = 0; n < 2; n += 1) await asks.signUp(email, two)
  expect((await mailsTo(email)).length - before).toBe(5)
})

test('and no more of a kind, except a password link', async () => {
  const { email } = await aSignedInMember(started)
  const one = aClient()
  for (let n = 0; n < 6; n += 1) await asks.resend(email, one)
  for (let n = 0; n < 6; n += 1) await asks.reset(email, one)
  expect([await count(email, 'already-member'), await count(email, 'password-reset')]).toEqual([3, 1])
})

test('the reserve of an address is for clients that have triggered no email to it', async () => {
  const { email } = await aSignedInMember(started)
  const [one, two] = [aClient(), aClient()]
  for (let n = 0; n < 3; n += 1) await asks.reset(email, one)
  for (let n = 0; n < 2; n += 1) await asks.reset(email, two)
  expect(await count(email, 'password-reset')).toBe(5)
  for (let n = 0; n < 4; n += 1) for (const client of [one, two]) await asks.reset(email, client)
  expect(await count(email, 'password-reset')).toBe(5)
  for (const client of [aClient(), aClient(), aClient()])
    for (let n = 0; n < 3; n += 1) await asks.reset(email, client)
  expect(await count(email, 'password-reset')).toBe(6)
})

test('a refused client got no email, and is served once there is room', async () => {
  const { email } = await aSignedInMember(started)
  const late = aClient()
  for (let n = 0; n < 6; n += 1) await asks.resend(email, aClient())
  for (let n = 0; n < 4; n += 1) await asks.resend(email, late)
  expect(await count(email, 'already-member')).toBe(6)
  await pass(30)
  await asks.resend(email, late)
  expect(await count(email, 'already-member')).toBe(7)
})

test('whatever strangers use up, the owner receives a password link', async () => {
  for (const network of ['one', 'many', 'the owner’s own']) {
    const { email } = await aSignedInMember(started)
    const [one, owner] = [aClient(), aClient()]
    for (let n = 0; n < 8; n += 1) {
      const from = { one, many: aClient(), 'the owner’s own': owner }[network]!
      if (n < 3) await asks.signUp(email, from)
      await asks.resend(email, from)
      await asks.ambassador(email, from)
    }
    const before = await count(email, 'password-reset')
    await asks.reset(email, owner)
    expect([network, before, await count(email, 'password-reset')]).toEqual([network, 0, 1])
  }
})

test('nor can they block it later: a client without a new link has one that still works', async () => {
  const { email } = await aSignedInMember(started)
  const owner = aClient()
  const living = () =>
    started.services.db
      .selectFrom('reset_code')
      .innerJoin('member', 'member.id', 'reset_code.member_id')
      .select('code_hash')
      .where('member.email', '=', email)
      .where('reset_code.expires_at', '>', sql<Date>`now()`)
      .execute()
  for (let round = 0; round < 12; round += 1) {
    for (const from of [owner, owner, owner, aClient(), aClient()]) {
      await asks.resend(email, from)
      if (round % 3 === 2) await asks.reset(email, from)
    }
    await asks.reset(email, owner)
    expect([round, (await living()).length > 0]).toEqual([round, true])
    await pass(10)
  }
})

test('requests before an address was registered take no link from its later owner', async () => {
  const email = anEmail()
  for (let n = 0; n < 9; n += 1) await asks.reset(email, aClient())
  expect(await count(email, 'password-reset')).toBe(0)
  const owner = aClient()
  await asks.signUp(email, owner)
  expect(await count(email, 'activation')).toBe(1)
  await asks.reset(email, owner)
  expect(await count(email, 'password-reset')).toBe(1)
  const next = anEmail()
  for (let n = 0; n < 6; n += 1) await asks.reset(next, owner)
  await asks.signUp(next, aClient())
  await asks.reset(next, owner)
  expect(await count(next, 'password-reset')).toBe(1)
})

test('all forms share the limits of an address, with one more email reserved for each form', async () => {
  const email = anEmail()
  const contact = (from: From) => call(api.contactStaff, { body: { email, text: 'Hello' } }, from)
  const one = aClient()
  for (let n = 0; n < 3; n += 1) {
    await asks.ambassador(email, one)
    await contact(one)
  }
  expect(await mailsTo(email)).toHaveLength(3)
  for (let n = 0; n < 8; n += 1) {
    await asks.ambassador(email, aClient())
    await contact(aClient())
  }
  expect(await mailsTo(email)).toHaveLength(7)
})

test('emails of forms count separately from emails with codes', async () => {
  const email = anEmail()
  const one = aClient()
  for (let n = 0; n < 8; n += 1) await asks.ambassador(email, one)
  for (let n = 0; n < 8; n += 1) await asks.ambassador(email, aClient())
  expect(await count(email, 'ambassador-received')).toBe(6)
  for (let n = 0; n < 2; n += 1) await asks.signUp(email, one)
  expect(await count(email, 'activation')).toBe(2)
  const other = anEmail()
  for (let n = 0; n < 8; n += 1) await asks.resend(other, aClient())
  await asks.ambassador(other, aClient())
  expect(await count(other, 'ambassador-received')).toBe(1)
})

test('an activation email is sent again after half an hour, like a link', async () => {
  const email = anEmail()
  const owner = aClient()
  for (let n = 0; n < 9; n += 1) await asks.signUp(email, aClient())
  const before = await count(email, 'activation')
  await asks.signUp(email, owner)
  expect(await count(email, 'activation')).toBe(before)
  await pass(30)
  await asks.signUp(email, owner)
  expect(await count(email, 'activation')).toBe(before + 1)
})

test('requests that send no email do not block sign-ups, from that client or others', async () => {
  const [asked, resent] = [anEmail(), anEmail()]
  const owner = aClient()
  for (let n = 0; n < 3; n += 1) await asks.reset(asked, owner)
  await asks.signUp(asked, owner)
  expect(await count(asked, 'activation')).toBe(1)
  for (let n = 0; n < 9; n += 1) await asks.resend(resent, aClient())
  for (let n = 0; n < 4; n += 1) await asks.resend(resent, owner)
  await asks.signUp(resent, owner)
  expect(await count(resent, 'activation')).toBe(1)
  // From here on they send emails, and count.
  for (let n = 0; n < 4; n += 1) await asks.resend(resent, owner)
  expect(await count(resent, 'activation')).toBe(3)
})

test('a chosen password waits equally long whatever was requested before, with or without an account', async () => {
  const ways: (keyof typeof asks)[][] = [
    ['reset', 'reset', 'reset'],
    ['resend', 'resend', 'resend', 'resend'],
    ['signUp', 'reset', 'reset'],
    ['reset', 'signUp', 'reset', 'reset'],
    ['signUp', 'signUp', 'signUp'],
    ['resend', 'reset', 'signUp', 'resend', 'reset'],
  ]
  for (const way of ways) {
    const answers = []
    for (const email of [anEmail(), (await aSignedInMember(started)).email]) {
      const from = aClient()
      for (const ask of way) await asks[ask](email, from)
      for (let n = 0; n < 2; n += 1) await asks.reset(email, aClient())
      await call(api.createMember, { body: { email, password: goodPassword + way.length } }, from)
      const body = { email, password: goodPassword + way.length }
      answers.push((await call(api.signIn, { body }, aClient())).problem.code)
    }
    expect([way, answers[1]]).toEqual([way, answers[0]])
  }
})

test('nor does an account get more emails from it', async () => {
  const { email } = await aSignedInMember(started)
  const before = (await mailsTo(email)).length
  const client = aClient()
  for (let n = 0; n < 3; n += 1) await asks.reset(email, client)
  for (let n = 0; n < 3; n += 1) await asks.signUp(email, client)
  expect((await mailsTo(email)).length - before).toBe(3)
})

test("an owner waiting for a code gets one despite strangers' ambassador emails and resets", async () => {
  const email = anEmail()
  for (let n = 0; n < 8; n += 1) {
    const from = aClient()
    await asks.ambassador(email, from)
    await asks.reset(email, from)
  }
  await call(api.createMember, { body: { email, password: goodPassword } }, aClient())
  expect(await count(email, 'activation')).toBe(1)
})

test('an address gets a limited number of emails per hour from any number of clients', async () => {
  const email = anEmail()
  for (let n = 0; n < 10; n += 1) {
    const from = aClient()
    await Promise.all(Object.values(asks).map((ask) => ask(email, from)))
  }
  expect((await mailsTo(email)).length).toBeLessThanOrEqual(13)
})

test('of 120 sign-ups by one client 100 are accepted, and the others cost no hash and no email', async () => {
  const client = aClient()
  const mailsBefore = await mailsSoFar()
  const answers: Answered<unknown>[] = []
  for (let n = 0; n < 4; n += 1) {
    const bodies = Array.from({ length: 30 }, () => ({ email: anEmail(), password: goodPassword }))
    answers.push(...(await Promise.all(bodies.map((body) => call(api.createMember, { body }, client)))))
  }
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  expect(Number(answers.find(({ status }) => status === 429)!.headers['retry-after'])).toBeGreaterThan(0)
  expect((await mailsSoFar()) - mailsBefore).toBe(100)
  const other = { body: { email: anEmail(), password: goodPassword } }
  expect((await call(api.createMember, other, aClient())).status).toBe(201)
})

test.each([
  ['resets', asks.reset],
  ['re-sends', asks.resend],
] as const)('%s are limited per client across all addresses, known or not', async (_, ask) => {
  const client = aClient()
  const statuses = []
  for (let n = 0; n < 23; n += 1)
    statuses.push((await ask(n % 2 ? anEmail() : (await aSignedInMember(started)).email, client)).status)
  expect(statuses.filter((status) => status === 202)).toHaveLength(20)
  expect(statuses.slice(20)).toEqual([429, 429, 429])
})

test('using a link allows another one, although nobody else would get it', async () => {
  const { email } = await aSignedInMember(started)
  const [owner, stranger] = [aClient(), aClient()]
  for (let n = 0; n < 2; n += 1) await asks.signUp(email, stranger)
  for (let n = 0; n < 3; n += 1) await asks.reset(email, owner)
  for (let n = 0; n < 3; n += 1) await asks.reset(email, stranger)
  const before = await count(email, 'password-reset')
  await asks.reset(email, owner)
  expect(await count(email, 'password-reset')).toBe(before)
  const { text } = (await mailsTo(email)).findLast((mail) => mail.kind === 'password-reset')!
  const [, id = '', pwdresetcode = ''] = /change-password\/([^/\s]+)\/(\S+)/.exec(text)!
  const used = { id, pwdresetcode: decodeURIComponent(pwdresetcode), passwd: 'another good password' }
  expect((await call(api.executePasswordReset, { body: used }, owner)).status).toBe(200)
  await asks.reset(email, owner)
  expect(await count(email, 'password-reset')).toBe(before + 1)
})

test('adding tags to an address does not increase its limit, and its owner still gets a link', async () => {
  const name = `tagged${Date.now()}`
  const addresses = Array.from({ length: 12 }, (_, n) => `${name}+${n}@example.org`)
  for (const email of addresses) await asks.signUp(email, aClient())
  const sent = await Promise.all(addresses.map(async (email) => (await mailsTo(email)).length))
  expect(sent.reduce((sum, each) => sum + each)).toBe(6)

  // These are separate accounts, and each owner has a reserved link.
  const { email } = await aSignedInMember(started)
  const [local, domain] = email.split('@')
  for (let n = 0; n < 12; n += 1) await asks.reset(`${local}+${n}@${domain}`, aClient())
  await asks.reset(email, aClient())
  expect(await count(email, 'password-reset')).toBe(1)
})
