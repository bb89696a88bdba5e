import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { finalRefusal, identityCases } from '#tests/setup/identity-cases.ts'
import { readCase } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const cases = identityCases(started)
const { aCase, decide, lift, read, erase, remove } = cases
const [one, two, three, four] = [
  await cases.officer('Officer One'),
  await cases.officer('Officer Two'),
  await cases.officer('Officer Three'),
  await cases.officer('Officer Four'),
]
const refuse = async (found: Awaited<ReturnType<typeof aCase>>) => {
  await decide(one, found.id, finalRefusal)
  expect((await decide(two, found.id, finalRefusal)).body.isFinal).toBe(true)
  return found
}
const aRefusal = async (fields: object = {}) => refuse(await aCase(fields))
const why = async (id: string) => (await read(one, id)).body.refusals.map((each) => each.why)
const fingerprintsOf = (id: string) =>
  db.selectFrom('kyc_fingerprint').selectAll().where('application_id', '=', id).execute()

describe('flags a second attempt', () => {
  test.each([
    ['Jean-Luc Müllerson', 'MULLERSON, Jean Luc'],
    ['王大同', 'Wang Datong'],
    ['李大同', 'DA TONG LI'],
    ['Сергей Пробников', 'Sergey Probnikov'],
    ['Mohammed Beispielson', 'Muhammad Beispielson'],
    ['Bill Exampleton', 'William Exampleton'],
    ['Łukasz Ødemark', 'Lukasz Odemark'],
    ['赵大同 Zhao Datong', '赵 大 同'],
    ['S\u0430mple Gl\u0443phson', 'Sample Glyphson'],
  ])('of %s as %s', async (firstName, another) => {
    const { id, member } = await aRefusal({ firstName })
    await erase(member)
    const again = await aCase({ firstName: another })
    expect((await read(one, again.id)).body.refusals).toMatchObject([{ id, why: ['name'] }])
  })

  test('and no one with only a part of the name, or a similar one', async () => {
    const { id } = await aRefusal({ firstName: 'Partly Samesomething' })
    for (const firstName of ['Partly', 'Samesomething', 'Partly Samesomething Junior', 'Partly Samesomethin'])
      expect(await why((await aCase({ firstName })).id)).toEqual([])
    expect(await fingerprintsOf(id)).not.toEqual([])
  })

  test('by name and date of birth together, which is stronger than the name alone', async () => {
    const person = { firstName: 'Birthe Musterdame', dateOfBirth: '1990-01-31' }
    const { member } = await aRefusal(person)
    await erase(member)
    const same = await aCase({ ...person, firstName: 'Musterdame, Birthe' })
    expect(await why(same.id)).toEqual([['nameAndBirth']])
    expect(await why((await aCase({ ...person, dateOfBirth: '1991-01-31' })).id)).toEqual([['name']])
  })

  test('by the account’s email address, whatever was typed, without ignored parts', async () => {
    const member = await aSignedInMember(started)
    const address = `sample.person+one${anEmail().split('@')[0]}@gmail.com`
    await db.updateTable('member').set({ email: address }).where('id', '=', member.id).execute()
    const refused = await refuse(await aCase({ email: anEmail() }, member))
    await erase({ ...member, email: address })
    const again = await aSignedInMember(started)
    await db
      .updateTable('member')
      .set({ email: 'sampleperson@gmail.com' })
      .where('id', '=', again.id)
      .execute()
    const next = await aCase({ email: anEmail() }, again)
    expect((await read(one, next.id)).body.refusals).toMatchObject([{ id: refused.id, why: ['email'] }])
  })

  test('even if the account changed its address before it was erased', async () => {
    const { member, id } = await aRefusal()
    const changed = anEmail()
    await db.updateTable('member').set({ email: changed }).where('id', '=', member.id).execute()
    await erase({ ...member, email: changed })
    const next = await aCase({ email: changed })
    expect((await read(one, next.id)).body.refusals).toMatchObject([{ id, why: ['email'] }])
  })
})

test('adds fingerprints to an older application before its data is deleted', async () => {
  for (const escape of [remove, (by: typeof one) => erase(by)]) {
    const found = await aRefusal()
    await db.deleteFrom('kyc_fingerprint').where('application_id', '=', found.id).execute()
    await escape(found.member, found.id)
    expect(await why((await aCase({ photoUrls: [found.photo], ...found.own })).id)).toEqual([
      ['document', 'ethAddress', 'name'],
    ])
  }
})

test('renews older fingerprints while the application can be read', async () => {
  const { id, own } = await aRefusal()
  const before = await fingerprintsOf(id)
  await db.deleteFrom('kyc_fingerprint').where('application_id', '=', id).where('kind', '=', 'name').execute()
  await db.updateTable('kyc_application').set({ fingerprint_version: 0 }).where('id', '=', id).execute()
  await cleanUp(services)
  expect(await fingerprintsOf(id)).toHaveLength(before.length)
  expect(await why((await aCase({ firstName: own.firstName })).id)).toEqual([['name']])
})

describe('a reversed rejection', () => {
  const lifted = async (found: Awaited<ReturnType<typeof aCase>>) => {
    await lift(three, found.id)
    expect((await lift(four, found.id)).body.isFinal).toBe(false)
  }

  test('leaves no fingerprint, even if its subject had deleted the rest', async () => {
    const [whole, emptied] = [await aRefusal(), await aRefusal()]
    await remove(emptied.member, emptied.id)
    for (const found of [whole, emptied]) {
      await lifted(found)
      await cleanUp(services)
      expect(await fingerprintsOf(found.id)).toEqual([])
      expect(await why((await aCase({ photoUrls: [found.photo], ...found.own })).id)).toEqual([])
    }
    // Only the rejection was left.
    expect((await read(one, emptied.id)).status).toBe(404)
  })

  test('restores no approval, and the next one has the usual requirements', async () => {
    const { member, id: first } = await aCase()
    await readCase(started, one, first)
    await decide(one, first, { status: 'approved' })
    const second = await refuse(await aCase({}, member))
    // As stored before final rejections ended approvals.
    await db.updateTable('kyc_application').set({ status: 'approved' }).where('id', '=', first).execute()
    await lifted(second)
    expect((await read(one, first)).body).toMatchObject({ status: 'withdrawn', reason: 'Forged.' })
    const third = await aCase({}, member)
    expect((await decide(one, third.id, { status: 'approved' })).problem.code).toBe('photos_unjudged')
    await readCase(started, one, third.id)
    expect((await decide(one, third.id, { status: 'approved' })).body.status).toBe('approved')
  })
})

test('a request superseded by a newer application can no longer be answered', async () => {
  const { member, id } = await aCase()
  await decide(one, id, { status: 'more_info', reason: 'Which country?' })
  await db
    .insertInto('kyc_application')
    .values({ member_id: member.id, full_name: 'Newer', email: member.email, status: 'rejected' })
    .execute()
  const body = { id, country: 'Norway' }
  expect((await call(api.updateKyc, { body }, { token: member.token })).problem.code).toBe('conflict')
})
