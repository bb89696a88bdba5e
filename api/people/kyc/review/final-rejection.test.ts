import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import {
  anApplicant,
  anApplication,
  aPicture,
  aSale,
  aSignedInMember,
  type TestMember,
} from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { isFull } from '#tests/setup/languages-under-test.ts'
import { readCase } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const { db } = services
const officer = (n: number) => aSignedInMember(started, { manage_finance: 2, display_name: `Officer ${n}` })
const [one, two, three, four] = [await officer(1), await officer(2), await officer(3), await officer(4)]
await aSale(started)

const final = { status: 'rejected' as const, isFinal: true, reason: 'Forged.' }
const decide = (by: TestMember, id: string, body: CallOf<typeof api.decideKycCase>['body']) =>
  call(api.decideKycCase, { params: { id }, body }, { token: by.token })
const lift = (by: TestMember, id: string, reason = 'The registry confirms it.') =>
  call(api.reverseKycRejection, { params: { id }, body: { reason } }, { token: by.token })
const requestStepUp = (by: TestMember) => call(api.stepUp, { body: { password: by.password } }, as(by))
const remove = (by: TestMember, id: string) => call(api.deleteKyc, { body: { id } }, { token: by.token })
const erase = (by: TestMember) =>
  call(api.eraseMember, { body: { current: by.password } }, { token: by.token })
const read = (id: string) => call(api.getKycCase, { params: { id } }, { token: one.token })
const apply = async (by: TestMember, fields: object = {}) =>
  call(
    api.createKyc,
    { body: { ...anApplicant(by.email), photoUrls: [await aPicture()], ...fields } },
    { token: by.token },
  )
const stateOf = async (by: TestMember) =>
  (await call(api.signIn, { body: { email: by.email, password: by.password } }, { ip: by.ip })).body.kyc

/** The nightly run tries more of the races. */
const rounds = isFull ? 4 : 2

let shapes = 700
/** An application that shares nothing with any other. */
const aCase = async (fields: object = {}) => {
  const member = await aSignedInMember(started)
  shapes += 1
  const photo = await aPicture('png', { width: shapes, height: 500 })
  const own = { firstName: `Person ${shapes}`, ethAddress: `0x${String(shapes).padStart(40, '1')}` }
  const { body } = await apply(member, { ...own, photoUrls: [photo], ...fields })
  return { member, id: body._id, photo, own }
}
const aProposal = async () => {
  const found = await aCase()
  expect((await decide(one, found.id, final)).body.finalProposedBy?.id).toBe(one.id)
  return found
}
const aRefusal = async () => {
  const found = await aProposal()
  expect((await decide(two, found.id, final)).body).toMatchObject({ status: 'rejected', isFinal: true })
  return found
}

describe('a final rejection', () => {
  test('survives deletion by its subject: documents go, the decision and fingerprints stay', async () => {
    const { member, id, photo, own } = await aRefusal()
    expect((await remove(member, id)).status).toBe(200)
    expect((await apply(member)).status).toBe(409)
    expect(await stateOf(member)).toBe('rejected')
    const list = await call(api.listKycOfMember, { body: { memberId: member.id } }, { token: member.token })
    expect(list.body).toMatchObject([{ _id: id, isFinal: true, firstName: '', email: '', photoCount: 0 }])
    const row = await db.selectFrom('kyc_application').selectAll().where('id', '=', id).executeTakeFirst()
    expect(row).toMatchObject({ sealed_data_key: null, eth_address: '', reason: 'Forged.' })

    // Someone else with the same document, and with the same name and wallet.
    for (const [fields, why] of [
      [{ photoUrls: [photo] }, ['document']],
      [own, ['ethAddress', 'name']],
    ] as const) {
      const next = await aCase(fields)
      const { body } = await read(next.id)
      expect(body.refusals).toEqual([{ id, at: expect.any(String), isFinal: true, why: [...why] }])
      const { body: queue } = await call(api.listKycCases, { query: { q: next.id } }, { token: one.token })
      expect(queue).toMatchObject([{ hasRefusal: true }])
    }
    expect((await read((await aCase()).id)).body).toMatchObject({ hasRefusal: false, refusals: [] })
  })

  test('outlives the account, locked and dated, flags the next one, and ends with its retention', async () => {
    const { member, id, photo, own } = await aRefusal()
    const preview = await call(api.previewErasure, {}, { token: member.token })
    expect(preview.body.kept.map(({ what }) => what)).toContain('refusal')
    const erased = await erase(member)
    expect(erased.body.kept).toContainEqual({ what: 'refusal', until: expect.any(String) })
    await cleanUp(services)
    await cleanUp(services)
    const whole = await sql<{ text: string }>`
      select row_to_json(a)::text || (select coalesce(string_agg(row_to_json(s)::text, ''), '') from kyc_step s
        where s.application_id = a.id) as text from kyc_application a where a.id = ${id}`.execute(db)
    expect(whole.rows[0]!.text).not.toContain(own.firstName)
    expect(whole.rows[0]!.text).not.toContain(member.email)
    expect(await db.selectFrom('kyc_photo').select('n').where('application_id', '=', id).execute()).toEqual(
      [],
    )

    const again = await aCase({ photoUrls: [photo], ...own })
    expect((await read(again.id)).body.refusals).toMatchObject([
      { id, isFinal: true, why: ['document', 'ethAddress', 'name'] },
    ])
    await db
      .updateTable('member')
      .set({ erased_at: sql<Date>`now() - interval '6 years'` })
      .where('id', '=', member.id)
      .execute()
    await cleanUp(services)
    expect((await read(again.id)).body.refusals).toEqual([])
  })

  test('cannot be undone by one officer: not by deleting, alone, or by either of the two deciders', async () => {
    const { member, id } = await aRefusal()
    expect((await remove(three, id)).status).toBe(409)
    await letProofAge(started, one)
    for (const decider of [one, two]) expect((await lift(decider, id)).problem.code).toBe('forbidden')
    await requestStepUp(one)
    expect((await lift(three, id, ' ')).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
    expect((await lift(three, id)).body).toMatchObject({ isFinal: true, liftProposedBy: { id: three.id } })
    await letProofAge(started, three)
    expect((await lift(three, id)).status).toBe(409)
    await requestStepUp(three)
    expect((await apply(member)).status).toBe(409)
    // Its reason also needs two officers.
    const words = await call(api.updateKyc, { body: { id, reason: 'Welcome.' } }, { token: three.token })
    expect(words.status).toBe(409)

    expect((await lift(four, id)).body).toMatchObject({ isFinal: false, liftProposedBy: null })
    expect((await mailsTo(member.email)).at(-1)?.kind).toBe('kyc-refusal-lifted')
    const { body: events } = await call(api.listKycCaseEvents, { params: { id } }, { token: one.token })
    expect(events.slice(0, 2)).toMatchObject([
      { what: 'lifted', by: 'Officer 4' },
      { what: 'lift_proposed', by: 'Officer 3' },
    ])
    expect((await apply(member)).status).toBe(201)
  })

  test('counts concurrent reversals, or one by its own applicant, only once', async () => {
    const { id } = await aRefusal()
    const answers = await Promise.all([lift(three, id), lift(three, id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await read(id)).body.isFinal).toBe(true)
    const applicant = await officer(5)
    const own = await anApplication(started, applicant, 'rejected')
    await db.updateTable('kyc_application').set({ is_final: true }).where('id', '=', own._id).execute()
    expect((await lift(applicant, own._id)).problem.code).toBe('forbidden')
  })

  test('by two officers still needs two others if the setting was turned off since', async () => {
    const { id } = await aRefusal()
    Object.assign(services.config, { isFourEyesRequired: false })
    try {
      expect((await lift(two, id)).problem.code).toBe('forbidden')
      expect((await lift(three, id)).body.isFinal).toBe(true)
    } finally {
      Object.assign(services.config, { isFourEyesRequired: true })
    }
  })

  test('ends earlier approvals, and nothing restores them', async () => {
    const { member, id: first } = await aCase()
    await readCase(started, one, first)
    await decide(one, first, { status: 'approved' })
    const { body } = await apply(member)
    await decide(one, body._id, final)
    await decide(two, body._id, final)
    const order = () =>
      call(api.createQuote, { body: { payMethod: 'BTC', amount: '0.5' } }, { token: member.token })
    expect((await order()).problem.code).toBe('identity_needed')
    await remove(member, body._id)
    expect((await order()).problem.code).toBe('identity_needed')
    await lift(three, body._id)
    await lift(four, body._id)
    expect((await order()).problem.code).toBe('identity_needed')
  })
})

describe('a proposed final rejection', () => {
  test('applies to the submission that its officer read, and to no later one', async () => {
    const { member, id } = await aProposal()
    await call(
      api.updateKyc,
      { body: { id, status: 'more_info', reason: 'Which country?' } },
      { token: three.token },
    )
    await call(api.updateKyc, { body: { id, country: 'Norway' } }, { token: member.token })
    // The applicant's answer returned to the officer who asked.
    const answer = await decide(three, id, final)
    expect(answer.body).toMatchObject({ isFinal: false, finalProposedBy: { id: three.id } })
  })

  test('stays while the second officer takes the case and reviews its photos', async () => {
    const { id } = await aProposal()
    await call(api.assignKycCase, { params: { id }, body: { to: 'me' } }, { token: two.token })
    await readCase(started, two, id)
    expect((await decide(two, id, final)).body.isFinal).toBe(true)
  })

  test('cannot be escaped by deleting the application or erasing the account: the next one shows it', async () => {
    for (const escape of [
      async ({ member, id }: { member: TestMember; id: string }) => void (await remove(member, id)),
      async ({ member }: { member: TestMember }) => void (await erase(member)),
    ]) {
      const found = await aProposal()
      await escape(found)
      await cleanUp(services)
      // The first approval alone decides nothing; a second officer still can.
      expect((await decide(one, found.id, final)).status).toBe(409)
      const again = await aCase({ photoUrls: [found.photo] })
      expect((await read(again.id)).body.refusals).toMatchObject([{ id: found.id, isFinal: false }])
    }
  })

  test('and a concurrent erasure leave either the rejection or the proposal', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const found = await aProposal()
      await Promise.all([decide(two, found.id, final), erase(found.member)])
      const again = await aCase({ photoUrls: [found.photo] })
      expect((await read(again.id)).body.refusals).toMatchObject([{ id: found.id }])
    }
  })

  test('by an officer, and a case assigned to another, cannot be deleted by a third', async () => {
    const { id } = await aProposal()
    expect((await remove(three, id)).status).toBe(409)
    const held = await aCase()
    await call(api.assignKycCase, { params: { id: held.id }, body: { to: 'me' } }, { token: one.token })
    expect((await remove(three, held.id)).status).toBe(409)
    expect((await remove(one, held.id)).status).toBe(200)
  })
})

test('adds fingerprints to older rejections', async () => {
  const { member, id, photo } = await aRefusal()
  await db.deleteFrom('kyc_fingerprint').where('application_id', '=', id).execute()
  await cleanUp(services)
  await erase(member)
  const again = await aCase({ photoUrls: [photo] })
  expect((await read(again.id)).body.refusals).toMatchObject([{ id, why: ['document'] }])
})
