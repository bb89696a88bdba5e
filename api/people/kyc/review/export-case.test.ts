import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplication, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { findKycPhoto } from '../kyc-photo.queries.ts'
import { findAnyKyc } from '../kyc.queries.ts'
import { openDataKey, readPhoto } from '../encrypted-documents.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db, keys, files } = services

test('an export names who made it and when, and marks its pictures', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer' })
  const member = await aSignedInMember(started)
  const { _id: id } = await anApplication(started, member)
  const take = () => call(api.exportKycCase, { params: { id } }, { token: officer.token })
  const { body } = await take()
  expect(body.exportedBy).toEqual({ id: officer.id, name: 'Officer', email: officer.email })
  expect(Math.abs(Date.now() - Date.parse(body.exportedAt))).toBeLessThan(60_000)

  const row = await findAnyKyc(db, id)
  const photo = await findKycPhoto(db, id, 0)
  const stored = await readPhoto(files, openDataKey(keys, id, row!.sealed_data_key!), id, photo!.file_key)
  const bytesOf = (dataUrl?: string) => Buffer.from(dataUrl!.split(',')[1]!, 'base64')
  const first = bytesOf(body.pictures[0])
  expect(first.equals(stored!)).toBe(false)
  expect(first.equals(bytesOf((await take()).body.pictures[0]))).toBe(false)

  const entries = await db
    .selectFrom('audit_entry')
    .select(['actor_id', 'detail'])
    .where('action', '=', 'kyc-exported')
    .where('subject_id', '=', id)
    .execute()
  const entry = {
    actor_id: officer.id,
    detail: { mark: expect.stringMatching(/^[0-9a-f]{8}$/) },
  }
  expect(entries).toEqual([entry, entry])
})

test('an export is for officers who decide, is shown to the applicant, and has a limit', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer' })
  const reader = await aSignedInMember(started, { manage_finance: 1 })
  const member = await aSignedInMember(started)
  const { _id: id } = await anApplication(started, member)
  const take = ({ token }: { token: string }, of = id) =>
    call(api.exportKycCase, { params: { id: of } }, { token })
  expect((await take(officer, 'unknown')).status).toBe(404)
  expect((await take(reader)).status).toBe(403)
  expect((await take(officer)).status).toBe(200)
  await db.updateTable('throttle').set({ count: 59 }).execute()
  expect((await take(officer)).status).toBe(200)
  expect((await take(officer)).status).toBe(429)
  const history = await call(api.getKycHistory, { params: { id } }, { token: member.token })
  expect(history.body.views[0]).toMatchObject({ by: 'Officer', what: 'record' })
})
