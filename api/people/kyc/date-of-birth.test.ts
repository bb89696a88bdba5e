import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { birthDate } from '#contract/platform/fields.ts'
import { readConfig } from '#api/platform/config/config.ts'
import { anApplicant, aPicture, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { requireAge } from './submit-application.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const photo = await aPicture()
const officer = await aSignedInMember(started, { manage_finance: 2 })

async function submit(fields: object) {
  const member = await aSignedInMember(started)
  const body = { ...anApplicant(member.email), photoUrls: [photo], ...fields }
  return { member, answer: await call(api.createKyc, { body }, { token: member.token }) }
}
const day = (years: number, days = 0) => {
  const now = new Date()
  now.setUTCFullYear(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate() + days)
  return now.toISOString().slice(0, 10)
}

test.each([
  ['2001-02-29', 'date'],
  ['2000-13-01', 'date'],
  ['01.02.2000', 'date'],
  ['0000-00-00', 'date'],
  [day(0, 1), 'date'],
  [day(121), 'date'],
  ['', 'required'],
  [day(18, 1), 'too_young'],
  [day(3), 'too_young'],
])('%s is no date of birth of an applicant', async (dateOfBirth, code) => {
  const { answer } = await submit({ dateOfBirth })
  expect(answer.problem.errors).toMatchObject([{ path: 'dateOfBirth', code }])
})

test('accepts eighteen today, unless the setting differs', () => {
  const now = new Date('2026-03-01T00:00:00Z')
  const isOldEnough = (born: string, min = 18) => {
    try {
      requireAge(born, min, now)
      return true
    } catch {
      return false
    }
  }
  expect(isOldEnough('2008-03-01')).toBe(true)
  expect(isOldEnough('2008-03-02')).toBe(false)
  // Born on a leap day
  expect(isOldEnough('2008-02-29')).toBe(true)
  expect(isOldEnough('2008-02-29', 19)).toBe(false)
  expect(isOldEnough('2008-03-02', 17)).toBe(true)
  expect(isOldEnough('')).toBe(true)
  expect(birthDate.safeParse('2008-02-29').success).toBe(true)
  expect(readConfig({}).kycAgeMin).toBe(18)
  expect(readConfig({ KYC_MIN_AGE: '21' }).kycAgeMin).toBe(21)
  expect(() => readConfig({ KYC_MIN_AGE: 'adult' })).toThrow('KYC_MIN_AGE')
})

test('is stored, shown to its owner and the officer, exported, and erased with the name', async () => {
  const { member, answer } = await submit({ dateOfBirth: '1990-01-31' })
  const id = answer.body._id
  expect(answer.body.dateOfBirth).toBe('1990-01-31')
  const opened = await call(api.getKycCase, { params: { id } }, { token: officer.token })
  expect(opened.body.dateOfBirth).toBe('1990-01-31')
  const exported = await call(api.exportMember, {}, { token: member.token })
  expect(JSON.stringify(exported.body)).toContain('1990-01-31')
  await call(api.deleteKyc, { body: { id } }, { token: member.token })
  const row = await services.db
    .selectFrom('kyc_application')
    .select('date_of_birth')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row.date_of_birth).toBe('')
})

test('accepts the specified payload without one, and tells the officer', async () => {
  const { answer } = await submit({})
  expect(answer).toMatchObject({ status: 201, body: { dateOfBirth: '' } })
})

test('an answer to a request may add one, if old enough', async () => {
  const { member, answer } = await submit({})
  const { _id: id } = answer.body
  await services.db.updateTable('kyc_application').set({ status: 'more_info' }).where('id', '=', id).execute()
  const update = (dateOfBirth: string) =>
    call(api.updateKyc, { body: { id, dateOfBirth } }, { token: member.token })
  expect((await update(day(17))).problem.errors).toMatchObject([{ path: 'dateOfBirth', code: 'too_young' }])
  expect((await update('1990-01-31')).body.dateOfBirth).toBe('1990-01-31')
})

test('the form gets the minimum age from the setting before anything is uploaded', async () => {
  const stricter = await startApi({ KYC_MIN_AGE: '21' })
  const { token } = await aSignedInMember(stricter)
  expect((await stricter.call(api.readKycRequirements, {}, { token })).body).toEqual({ ageMin: 21 })
})
