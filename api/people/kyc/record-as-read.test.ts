import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { TestMember } from '#tests/builders.ts'
import { finalRefusal, identityCases } from '#tests/setup/identity-cases.ts'
import { readCase } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const cases = identityCases(started)
const { aCase, decide, update, remove, read: readDesk } = cases
const [one, two] = [await cases.officer('Officer One'), await cases.officer('Officer Two')]
const record = async (by: TestMember, id: string) =>
  (await call(api.getKyc, { params: { id } }, { token: by.token })).body

describe('the record sent back as read', () => {
  test.each([
    ['with all that the form asks', { dateOfBirth: '1980-05-06', lastName: 'Sample', country: 'Iceland' }],
    ['without a date of birth and a last name', { lastName: undefined }],
  ])('%s is taken with a decision', async (_, fields) => {
    const { id } = await aCase(fields)
    await readCase(started, one, id)
    const answer = await update(one, { ...(await record(one, id)), status: 'approved' })
    expect([answer.status, answer.body.status]).toEqual([200, 'approved'])
  })

  test('is accepted as its applicant’s answer', async () => {
    const { id, member } = await aCase()
    await update(one, { id, status: 'more_info', reason: 'Which country?' })
    const answer = await update(member, { ...(await record(member, id)), country: 'Norway' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'submitted', country: 'Norway', round: 2 } })
  })

  test('decides nothing about a later submission, and rejects no one finally', async () => {
    const { id, member } = await aCase()
    const before = await record(one, id)
    await update(one, { id, status: 'more_info', reason: 'Are you sure?' })
    await update(member, { id })
    await readCase(started, one, id)
    expect((await update(one, { ...before, status: 'approved' })).status).toBe(409)
    const final = { ...(await record(one, id)), status: 'rejected' as const, reason: 'No.', isFinal: true }
    expect((await update(one, final)).problem.errors).toMatchObject([{ path: 'isFinal', code: 'invalid' }])
  })

  test('of a rejection without data accepts a note', async () => {
    const { id, member } = await aCase()
    await decide(one, id, finalRefusal)
    await decide(two, id, finalRefusal)
    await remove(member, id)
    for (const body of [
      { id, note: 'Seen.' },
      { ...(await record(one, id)), note: 'Seen again.' },
    ])
      expect(await update(one, body)).toMatchObject({ status: 200, body: { note: body.note } })
  })
})

test('keeps the reason of a decision: without another step only the note changes', async () => {
  for (const [status, reason] of [
    ['rejected', 'Unreadable.'],
    ['more_info', 'Which country?'],
  ] as const) {
    const { id, member } = await aCase()
    await update(one, { id, status, reason })
    const mails = (await mailsTo(member.email)).length
    for (const other of ['Something else.', ''])
      for (const body of [
        { id, reason: other },
        { id, status, reason: other },
      ])
        expect((await update(one, body)).problem.code).toBe('conflict')
    expect((await update(one, { id, reason: ` ${reason} `, note: 'Private.' })).body).toMatchObject({
      reason,
      note: 'Private.',
    })
    expect(await record(member, id)).toMatchObject({ status, reason })
    expect((await mailsTo(member.email)).length).toBe(mails)
  }
})

test.each([
  ['with a reason', { reason: 'Sent twice.' }, 'Sent twice.'],
  ['without one', {}, ''],
])('an officer who deletes a case %s: its applicant is told and may apply again', async (_, why, kept) => {
  const { id, member } = await aCase()
  const by = { token: one.token }
  expect((await call(api.deleteKyc, { body: { id, ...why } }, by)).body).toEqual({ deleted: true })
  const mail = (await mailsTo(member.email)).at(-1)!
  expect(mail).toMatchObject({ kind: 'kyc-removed' })
  expect(mail.text).not.toContain('Sent twice.')
  const row = services.db.selectFrom('kyc_application').select('note').where('id', '=', id)
  expect(await row.executeTakeFirst()).toEqual({ note: kept })
  // The member's own deletion is not attributed to an officer.
  const again = await aCase({}, member)
  await remove(member, again.id)
  expect((await mailsTo(member.email)).at(-1)?.kind).not.toBe('kyc-removed')
  expect((await readDesk(one, again.id)).status).toBe(404)
})
