import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { finalRefusal, identityCases } from '#tests/setup/identity-cases.ts'
import { readCase, reviewPhoto } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const { db } = services
const cases = identityCases(started)
const { aCase, apply, decide, lift, remove, erase, read, queue, events, own } = cases
const [one, two, three, four] = [
  await cases.officer('Officer One'),
  await cases.officer('Officer Two'),
  await cases.officer('Officer Three'),
  await cases.officer('Officer Four'),
]
await aSale(started)

const aProposal = async () => {
  const found = await aCase()
  const { body } = await decide(one, found.id, finalRefusal)
  expect(body).toMatchObject({ finalProposedBy: { id: one.id }, isFinal: false })
  return found
}
type Case = Awaited<ReturnType<typeof aCase>>
const escapes: [string, (of: Case) => Promise<unknown>][] = [
  ['deletes the application', ({ member, id }) => remove(member, id)],
  ['erases the account', ({ member }) => erase(member)],
]

describe('a proposal whose applicant', () => {
  test.each(escapes)('%s stays in the queue with only its reason and date', async (_, escape) => {
    const found = await aProposal()
    await escape(found)
    await cleanUp(services)
    const locked = {
      _id: found.id,
      isDeleted: true,
      firstName: '',
      email: '',
      photoCount: 0,
      finalProposedBy: { id: one.id },
      finalProposedReason: 'Forged.',
      finalProposedAt: expect.any(String) as string,
    }
    expect((await queue(two)).filter(({ _id }) => _id === found.id)).toMatchObject([locked])
    expect((await queue(two, { status: 'waiting' })).map(({ _id }) => _id)).toContain(found.id)
    expect((await read(two, found.id)).body).toMatchObject(locked)
    expect((await events(two, found.id)).map(({ what }) => what)).toContain('final_proposed')
    const row = await db.selectFrom('kyc_application').selectAll().where('id', '=', found.id).execute()
    expect(JSON.stringify(row)).not.toContain(found.own.firstName)
    expect(JSON.stringify(row)).not.toContain(found.member.email)
  })

  test.each(escapes)('%s can be confirmed by a second officer, but not by the first', async (_, escape) => {
    const found = await aProposal()
    await escape(found)
    expect((await decide(one, found.id, finalRefusal)).status).toBe(409)
    const confirmed = await decide(two, found.id, { ...finalRefusal, reason: 'It is forged.' })
    expect(confirmed.body).toMatchObject({ status: 'rejected', isFinal: true, reason: 'It is forged.' })
    expect((await decide(three, found.id, finalRefusal)).status).toBe(409)
    const again = await aCase({ photoUrls: [found.photo] })
    expect((await read(one, again.id)).body.refusals).toMatchObject([{ id: found.id, isFinal: true }])
    // A decision by two officers needs two others to undo it; this also applies here.
    expect((await lift(two, found.id)).problem.code).toBe('forbidden')
    expect((await lift(three, found.id)).body).toMatchObject({ isFinal: true })
  })

  test.each(escapes)(
    '%s can be dismissed by a second officer with a reason, and then flags no one',
    async (_, escape) => {
      const found = await aProposal()
      await escape(found)
      expect((await lift(one, found.id)).problem.code).toBe('forbidden')
      expect((await lift(two, found.id, ' ')).problem.errors).toMatchObject([{ path: 'reason' }])
      expect((await lift(two, found.id)).body).toMatchObject({ isFinal: false, finalProposedBy: null })
      expect((await queue(two)).map(({ _id }) => _id)).not.toContain(found.id)
      expect(await fingerprintsOf(found.id)).toEqual([])
      const again = await aCase({ photoUrls: [found.photo], ...found.own })
      expect((await read(one, again.id)).body).toMatchObject({ hasRefusal: false, refusals: [] })
      const entries = db.selectFrom('audit_entry').select('action').where('subject_id', '=', found.id)
      expect((await entries.execute()).map(({ action }) => action)).toContain('kyc-proposal-dropped')
      expect((await mailsTo(found.member.email)).map(({ kind }) => kind)).not.toContain('kyc-refusal-lifted')
      expect((await lift(three, found.id)).status).toBe(404)
    },
  )

  test('deletes the application allows only the two answers: no other decision, and no assignment', async () => {
    const { id, member } = await aProposal()
    await remove(member, id)
    for (const body of [
      { status: 'approved' as const },
      { status: 'in_review' as const },
      { status: 'more_info' as const, reason: 'x' },
      { status: 'rejected' as const, reason: 'x' },
    ])
      expect((await decide(two, id, body)).status).toBe(409)
    const by = { token: two.token }
    const assigned = await call(api.assignKycCase, { params: { id }, body: { to: 'me' } }, by)
    expect(assigned.status).toBe(404)
    expect((await reviewPhoto(started, two, id, 0, { verdict: 'accepted' })).status).toBe(404)
    expect((await remove(two, id)).status).toBe(404)
  })

  test('deletes the application and applies again is still finally rejected, and a later approval ends', async () => {
    const found = await aProposal()
    await remove(found.member, found.id)
    const next = await aCase({}, found.member)
    await readCase(started, three, next.id)
    expect((await decide(three, next.id, { status: 'approved' })).body.status).toBe('in_review')
    expect((await decide(four, next.id, { status: 'approved' })).body.status).toBe('approved')
    expect((await decide(two, found.id, finalRefusal)).status).toBe(200)
    expect((await read(one, next.id)).body).toMatchObject({ status: 'withdrawn', reason: 'Forged.' })
    expect((await apply(found.member, { photoUrls: [found.photo] })).status).toBe(409)
    expect((await mailsTo(found.member.email)).map(({ kind }) => kind)).toContain('kyc-rejected-final')
  })

  test('deletes it while it is confirmed or dismissed ends in one of both', async () => {
    for (let n = 0; n < 3; n += 1) {
      const found = await aProposal()
      await Promise.all([decide(two, found.id, finalRefusal), remove(found.member, found.id)])
      expect((await read(one, found.id)).body).toMatchObject({ isFinal: true, firstName: '' })
      const other = await aProposal()
      await remove(other.member, other.id)
      const answers = await Promise.all([decide(two, other.id, finalRefusal), lift(three, other.id)])
      const [confirmed, dropped] = answers.map(({ status }) => status)
      const after = await read(one, other.id)
      // A dismissal after the confirmation counts as the first approval to reverse it.
      if (dropped === 200 && confirmed === 200) expect(after.body).toMatchObject({ isFinal: true })
      else expect([confirmed, after.status]).toEqual([404, 404])
    }
  })

  test('erased the account is deleted with its reason after the legal period', async () => {
    const [erased, deleted] = [await aProposal(), await aProposal()]
    await erase(erased.member)
    await remove(deleted.member, deleted.id)
    const longAgo = new Date(Date.now() - 6 * 366 * 86_400_000)
    await db.updateTable('member').set({ erased_at: longAgo }).where('id', '=', erased.member.id).execute()
    await db
      .updateTable('kyc_application')
      .set({ deleted_at: longAgo })
      .where('id', '=', deleted.id)
      .execute()
    await cleanUp(services)
    for (const { id } of [erased, deleted]) {
      const row = await db.selectFrom('kyc_application').selectAll().where('id', '=', id).executeTakeFirst()
      expect(row).toMatchObject({ final_proposed_reason: '', final_proposed_by: null, note: '' })
      expect(await fingerprintsOf(id)).toEqual([])
      expect((await queue(two)).map(({ _id }) => _id)).not.toContain(id)
    }
  })
})

const fingerprintsOf = (id: string) =>
  db.selectFrom('kyc_fingerprint').select('kind').where('application_id', '=', id).execute()

describe('the subject of a proposal learns nothing', () => {
  /** Everything that members can read about themselves, without times and IDs. */
  const seenBy = async (member: TestMember) => {
    const by = { token: member.token }
    const [preview, list, session] = [
      await call(api.previewErasure, {}, by),
      await own(member),
      await call(api.signIn, { body: { email: member.email, password: member.password } }, { ip: member.ip }),
    ]
    const exported = (await call(api.exportMember, {}, by)).body as Record<string, unknown>
    // A proposal changes no time that members see.
    expect(list.every(({ createdAt, updatedAt }) => createdAt === updatedAt)).toBe(true)
    return JSON.stringify([preview.body.kept, preview.body.erased, list, session.body.kyc, exported['views']])
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
  }
  const without = (text: string, { member, own: { firstName, ethAddress } }: Case) =>
    text.replaceAll(member.email, 'email').replaceAll(firstName, 'name').replaceAll(ethAddress, 'wallet')

  test('before and after deleting: they see what anyone sees', async () => {
    const [proposed, usual] = [await aProposal(), await aCase()]
    expect(without(await seenBy(proposed.member), proposed)).toBe(without(await seenBy(usual.member), usual))
    const removed = [await remove(proposed.member, proposed.id), await remove(usual.member, usual.id)]
    expect(removed.map(({ body }) => body)).toEqual([{ deleted: true }, { deleted: true }])
    expect(without(await seenBy(proposed.member), proposed)).toBe(without(await seenBy(usual.member), usual))
    // They don't notice either that the proposal is still being reviewed.
    await read(two, proposed.id)
    await db
      .updateTable('kyc_application')
      .set({ deleted_at: new Date(Date.now() - 60_000) })
      .where('id', 'in', [proposed.id, usual.id])
      .execute()
    expect(without(await seenBy(proposed.member), proposed)).toBe(without(await seenBy(usual.member), usual))
    // They may apply again, like anyone else.
    await aCase({}, proposed.member)
    await aCase({}, usual.member)
  })

  test('from the response and the email of an erasure', async () => {
    const [proposed, usual] = [await aProposal(), await aCase()]
    const kept = [await erase(proposed.member), await erase(usual.member)].map(({ body }) => body.kept)
    expect(kept).toEqual([[], []])
    const [mail, usualMail] = [await mailsTo(proposed.member.email), await mailsTo(usual.member.email)]
    expect(mail.map(({ text }) => text)).toEqual(usualMail.map(({ text }) => text))
  })

  test('as an officer with their own case: its review page is closed', async () => {
    const subject = await cases.officer('Officer Subject')
    const { id, photo } = await aCase({}, subject)
    await decide(one, id, finalRefusal)
    const by = { token: subject.token }
    expect(await queue(subject)).not.toContainEqual(expect.objectContaining({ _id: id }))
    expect((await queue(two)).map(({ _id }) => _id)).toContain(id)
    for (const answer of [
      await read(subject, id),
      await call(api.listKycCaseEvents, { params: { id } }, by),
      await call(api.exportKycCase, { params: { id } }, by),
    ])
      expect([answer.status, answer.problem.code]).toEqual([403, 'forbidden'])
    const found = await call(api.findKyc, { body: { memberId: subject.id } }, by)
    expect(found.body).toMatchObject([{ _id: id }])
    expect(JSON.stringify(found.body)).not.toContain('Forged.')
    // Nor through another member's case that shares data with it.
    await remove(subject, id)
    const friend = await aCase({ photoUrls: [photo] })
    expect((await read(two, friend.id)).body.refusals).toMatchObject([{ id }])
    expect((await read(subject, friend.id)).body).toMatchObject({ refusals: [], duplicates: [] })
    expect((await read(subject, id)).status).toBe(403)
  })
})
