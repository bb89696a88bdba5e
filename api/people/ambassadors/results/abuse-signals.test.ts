import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anAmbassador } from '#tests/ambassadors.ts'
import { aMember, anEmail, aSignedInMember, goodPassword, signInAs } from '#tests/builders.ts'
import { elsewhere, invitationsAtWork } from '#tests/invitations-at-work.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { isDisposable } from './abuse-signals.ts'

const started = await startApi({}, afterAll)
const { services } = started
const { db } = services
const { anInviter, ask, codesTo, activate, invited, totals, flagsOf, join, approveIdentity } =
  await invitationsAtWork(started)

let boxes = 0
const aBox = () => `some.body${(boxes += 1)}`

test.each([
  ['an address of a domain for throwing away', () => `${aBox()}@mailinator.com`, 'throwaway_domain'],
  ['an address of its subdomain', () => `${aBox()}@box.mailinator.com`, 'throwaway_domain'],
  ['a subaddress', () => `${aBox()}+coin@example.org`, 'subaddress'],
])('%s is seen and not counted', async (_, address, flag) => {
  const { id, code } = await anInviter()
  const guest = await invited(code, address())
  await approveIdentity(guest.id)
  expect([await totals(id), await flagsOf(id)]).toEqual([[0, 0, 0, 0], [flag]])
})

test('a domain that only ends like a disposable one is a different one', () => {
  expect(isDisposable('a@notmailinator.com')).toBe(false)
  expect(isDisposable('a@mailinator.com.example.org')).toBe(false)
})

test('counts a mailbox once despite other dots, unless dots are significant', async () => {
  const { id, code } = await anInviter()
  const box = aBox()
  await invited(code, `${box}@gmail.com`)
  expect(await totals(id)).toEqual([1, 1, 0, 1])
  await invited(code, `${box.replace('.', '')}@gmail.com`)
  await invited(code, `so.me.${box.split('.')[1]}@googlemail.com`)
  expect([await totals(id), await flagsOf(id)]).toEqual([[1, 1, 0, 1], ['same_mailbox']])
})

test('two spellings of a mailbox that activate at once count once', async () => {
  const { id, code } = await anInviter()
  const box = aBox()
  const emails = [`${box}@gmail.com`, `${box.replace('.', '')}@gmail.com`]
  for (const email of emails) await ask(email, code)
  await Promise.all(emails.map(async (email) => activate(email, (await codesTo(email))[0]!)))
  expect(await totals(id)).toEqual([1, 1, 0, 1])
})

test('the ambassador’s own mailbox does not count in any spelling', async () => {
  const box = aBox()
  const member = await aMember(started, { email: `${box}@gmail.com` })
  const { id, code } = await anAmbassador(started, { memberId: member.id })
  await invited(code, `${box.replace('.', '')}@gmail.com`)
  expect(await totals(id)).toEqual([0, 0, 0, 0])
  expect(await flagsOf(id)).toContain('own_mailbox')
  // Invited at an address, but not joined yet.
  const waiting = await anAmbassador(started, { email: `${aBox()}@example.org` })
  const { email } = await db
    .selectFrom('ambassador')
    .select('email')
    .where('id', '=', waiting.id)
    .executeTakeFirstOrThrow()
  await invited(waiting.code, email!)
  expect(await flagsOf(waiting.id)).toEqual(['own_mailbox'])
})

test('a sign-up or activation in the ambassador’s browser does not count', async () => {
  const member = await aMember(started)
  const { id, code } = await anAmbassador(started, { memberId: member.id })
  const browser = { cookies: { device: member.cookies['device']! } }
  await ask(anEmail(), code, { ip: elsewhere(), ...browser })
  expect([await totals(id), await flagsOf(id)]).toEqual([[0, 0, 0, 0], ['own_browser']])
  const email = anEmail()
  await ask(email, code)
  expect((await totals(id))[0]).toBe(1)
  await activate(email, (await codesTo(email))[0]!, { ip: elsewhere(), ...browser })
  expect(await totals(id)).toEqual([0, 0, 0, 0])
})

test('a browser or network of another account does count', async () => {
  const { id, code } = await anInviter()
  const other = await aSignedInMember(started)
  await ask(anEmail(), code, { ip: other.ip, cookies: { device: other.cookies['device']! } })
  expect(await totals(id)).toEqual([1, 0, 0, 0])
})

test('a sign-up from where the ambassador is signed in does not count; from an earlier place, it does', async () => {
  const { id, code, member } = await anInviter()
  await ask(anEmail(), code, { ip: member.ip })
  expect([await totals(id), await flagsOf(id)]).toEqual([[0, 0, 0, 0], ['own_network']])
  await db.deleteFrom('session').where('member_id', '=', member.id).execute()
  await ask(anEmail(), code, { ip: member.ip })
  expect((await totals(id))[0]).toBe(1)
})

test('retrying from elsewhere hides nothing', async () => {
  const { id, code, member } = await anInviter()
  const email = anEmail()
  await ask(email, code, { ip: member.ip })
  await ask(email, code)
  await activate(email, (await codesTo(email))[1]!)
  expect([await totals(id), await flagsOf(id)]).toEqual([[0, 0, 0, 0], ['own_network']])
})

/** A person who came by an invitation, was accepted as an ambassador, and joins only now. */
async function joins(email: string) {
  await db.updateTable('member').set({ address_proved_at: new Date() }).where('email', '=', email).execute()
  const { session } = await signInAs(started, email, goodPassword, elsewhere())
  return (await join({ token: session.token } as never)).body.ambassador!
}

test.each([1, 2, 3])('a circle of %d invitations counts for no one', async (length) => {
  const emails = Array.from({ length }, () => anEmail())
  const ambassadors = []
  for (const email of emails) {
    // The application was sent to an address not linked to them yet; it becomes theirs when they join.
    const made = await anAmbassador(started, { email: `later-${email}` })
    ambassadors.push(made)
  }
  for (const [at, email] of emails.entries()) await invited(ambassadors[(at + 1) % length]!.code, email)
  for (const [at, email] of emails.entries()) {
    await db.updateTable('ambassador').set({ email }).where('id', '=', ambassadors[at]!.id).execute()
    await joins(email)
  }
  for (const { id } of ambassadors)
    expect([await totals(id), await flagsOf(id)]).toEqual([[0, 0, 0, 0], ['loop']])
})

test('a chain without a circle counts, but not for someone above who invites themselves through it', async () => {
  const first = await anInviter()
  const guest = await invited(first.code)
  const second = await anAmbassador(started, { email: guest.email })
  await joins(guest.email)
  await invited(second.code)
  expect([await totals(first.id), await totals(second.id)]).toEqual([
    [1, 1, 0, 1],
    [1, 1, 0, 1],
  ])
  const { email } = await db
    .selectFrom('member')
    .select('email')
    .where('id', '=', first.member.id)
    .executeTakeFirstOrThrow()
  await invited(second.code, email.replace('@', '+again@'))
  expect(await flagsOf(second.id)).toContain('loop')
})

test('only reviewers see flags; the ambassador does not', async () => {
  const { code, member } = await anInviter()
  await ask(anEmail(), code, { ip: member.ip })
  const { body } = await started.call(api.getAmbassadorResults, {}, { token: member.token })
  expect(JSON.stringify(body)).not.toContain('own_network')
})
