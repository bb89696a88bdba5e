import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember, aSignedInMember, signInAs, type TestMember } from '#tests/builders.ts'
import { addPasskey, aPasskeyDevice } from '#tests/passkey-device.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { updateMemberRow } from '../members/member.queries.ts'
import { confirmTotpOfMember, insertTotp } from '../sessions/second-factor.queries.ts'
import { totpOf } from '../sessions/second-factor.ts'

const none = { isWriteAccessAdmin: false, manageNews: 0, manageEmployee: 0, manageFinance: 0, manageCoins: 0 }
const secret = 'ABCDEFGHIJKLMNOP'

async function addTotp({ services: { db, keys } }: TestApi, { id }: TestMember) {
  await insertTotp(db, id, keys.seal('second factor', id, secret))
  await confirmTotpOfMember(db, id)
  // The session has a fresh proof.
  await db
    .updateTable('session')
    .set({ has_proved_factor: true, proved_at: new Date() })
    .where('member_id', '=', id)
    .execute()
}

const give = (by: TestMember, started: TestApi, body: Record<string, unknown>) =>
  started.call(api.updateMember, { body }, { token: by.token })

test('every response says that rights are pending, and what they wait for', async () => {
  const started = await startApi()
  const { call } = started
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const member = await aMember(started, { password: 'short' })
  const waitingRights = { ...none, isWriteAccessAdmin: true, needs: ['password'] }
  const told = { ...none, waitingRights }
  expect((await give(admin, started, { id: member.id, isWriteAccessAdmin: true })).body).toMatchObject(told)
  const token = admin.token
  expect((await call(api.getMember, { params: { id: member.id } }, { token })).body).toMatchObject(told)
  expect((await call(api.findMember, { body: { id: member.id } }, { token })).body).toMatchObject(told)
  const found = (filter: boolean) =>
    call(api.findMembers, { body: { email: member.email, isWriteAccessAdmin: filter } }, { token })
  expect((await found(true)).body).toEqual([])
  expect((await found(false)).body).toMatchObject([told])
  const without = { email: (await aSignedInMember(started)).email, isWriteAccessAdmin: false }
  expect((await call(api.findMembers, { body: without }, { token })).body).toHaveLength(1)
  expect((await call(api.listMembers, {}, { token })).body.find(({ id }) => id === member.id)).toMatchObject(
    told,
  )

  const { session, cookies } = await signInAs(started, member.email, 'short', member.ip)
  expect(session).toMatchObject(told)
  const headers = { 'x-xsrf-token': cookies['XSRF-TOKEN']! }
  const restored = await call(api.restoreSession, { body: null }, { cookies, headers })
  expect(restored.body).toMatchObject(told)
  expect(
    (await call(api.getMember, { params: { id: member.id } }, { token: session.token })).body,
  ).toMatchObject(told)

  const change = { body: { current: 'short', passwd: 'twelve letters' } }
  expect((await call(api.changePassword, change, { token: session.token })).status).toBe(200)
  const again = await signInAs(started, member.email, 'twelve letters', member.ip)
  expect(again.session.isWriteAccessAdmin).toBe(true)
  expect(again.session).not.toHaveProperty('waitingRights')
})

test('if staff need a factor, every response says that it is missing', async () => {
  const started = await startApi({ STAFF_SECOND_FACTOR: 'required' })
  const member = await aMember(started, { rights: { manage_finance: 2 } })
  expect(member.session.waitingRights).toEqual({ ...none, manageFinance: 2, needs: ['second_factor'] })
  const own = { params: { id: member.id } }
  const before = await started.call(api.getMember, own, { token: member.token })
  expect(before.body.waitingRights).toEqual(member.session.waitingRights)
  await addPasskey(started, member, aPasskeyDevice(member.id))
  const after = await started.call(api.getMember, own, { token: member.token })
  expect(after.body).not.toHaveProperty('waitingRights')
})

test('an administrator with pending rights does not replace an effective one', async () => {
  const started = await startApi()
  const last = await aSignedInMember(started, { is_write_access_admin: true })
  const asleep = await aSignedInMember(started, {
    is_write_access_admin: true,
    password_length_ok_for_staff: false,
  })
  const refused = async (body: Record<string, unknown>) =>
    (await give(last, started, { id: last.id, ...body })).problem.code
  expect(await refused({ isWriteAccessAdmin: false })).toBe('last_admin')
  expect(await refused({ active: false })).toBe('last_admin')
  const leave = { body: { current: last.password } }
  const left = await started.call(api.eraseMember, leave, { token: last.token })
  expect(left.problem.code).toBe('last_admin')
  expect((await started.call(api.previewErasure, {}, { token: last.token })).body.isLastAdmin).toBe(true)
  // Pending rights can be withdrawn.
  expect((await give(last, started, { id: asleep.id, isWriteAccessAdmin: false })).status).toBe(200)
})

test('if staff need a factor, the last administrator with one keeps it', async () => {
  const started = await startApi({ STAFF_SECOND_FACTOR: 'required' })
  const { call, services } = started
  const last = await aSignedInMember(started, { is_write_access_admin: true })
  await addTotp(started, last)
  const other = await aSignedInMember(started, { is_write_access_admin: true })
  const remove = async () => {
    await services.db.updateTable('totp').set({ last_step: 0 }).execute()
    const code = totpOf(secret).generate()
    return call(api.removeTotp, { body: { code } }, { token: last.token })
  }
  expect((await remove()).problem.code).toBe('last_admin')
  expect((await give(last, started, { id: last.id, isWriteAccessAdmin: false })).problem.code).toBe(
    'last_admin',
  )

  const { passkey } = (await addPasskey(started, last, aPasskeyDevice(last.id))).body
  expect((await remove()).status).toBe(200)
  const removed = await call(api.removePasskey, { params: { id: passkey.id } }, { token: last.token })
  expect(removed.problem.code).toBe('last_admin')

  await addPasskey(started, other, aPasskeyDevice(other.id))
  expect((await call(api.removePasskey, { params: { id: passkey.id } }, { token: last.token })).status).toBe(
    200,
  )
})

test('of two administrators who remove their factors at once, one keeps it', async () => {
  const started = await startApi({ STAFF_SECOND_FACTOR: 'required' })
  const { call, services } = started
  for (let round = 0; round < 3; round += 1) {
    await services.db.updateTable('member').set({ is_write_access_admin: false }).execute()
    const pair = await Promise.all(
      [0, 1].map(async () => {
        const member = await aSignedInMember(started, { is_write_access_admin: true })
        const { passkey } = (await addPasskey(started, member, aPasskeyDevice(member.id))).body
        return { member, passkey }
      }),
    )
    const answers = await Promise.all(
      pair.map(({ member, passkey }) =>
        call(api.removePasskey, { params: { id: passkey.id } }, { token: member.token }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
})

test('pending rights remain when an administrator changes something else', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const member = await aSignedInMember(started, { password_length_ok_for_staff: false })
  await give(admin, started, { id: member.id, manageNews: 2 })
  expect((await give(admin, started, { id: member.id, firstName: 'Ada' })).body.waitingRights).toMatchObject({
    manageNews: 2,
  })
  await updateMemberRow(started.services.db, member.id, { password_length_ok_for_staff: true })
  const { body } = await started.call(api.getMember, { params: { id: member.id } }, { token: admin.token })
  expect(body.manageNews).toBe(2)
})
