import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplicant, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { removePendingFiles } from '../../platform/pending-files/pending-file.queries.ts'
import { StoreFailed } from '../../platform/files/store-failed.ts'
import { stagedPhotoAge, stagedPhotosMax } from './kyc.rules.ts'
import { deleteOldStagedPhotos } from './staged-photo.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db, files } = services

const stage = async (by: TestMember, photo?: string) =>
  call(api.stageKycPhoto, { body: { photo: photo ?? (await aPicture()) } }, { token: by.token })
const submit = (by: TestMember, photoUrls: string[]) =>
  call(api.createKyc, { body: { ...anApplicant(by.email), photoUrls } }, { token: by.token })
const waitingOf = async (by: TestMember) =>
  (await call(api.listStagedKycPhotos, {}, { token: by.token })).body
const drop = (by: TestMember, id: string) => call(api.deleteKycPhoto, { params: { id } }, { token: by.token })

async function namesOnDisk(): Promise<string[]> {
  const names = await readdir(join(services.config.dataDir, 'files', 'kyc')).catch(() => [])
  return names.map((name) => `kyc/${name}`).toSorted()
}
async function namesInDatabase(): Promise<string[]> {
  const rows = await Promise.all([
    db.selectFrom('kyc_photo').select('file_key').execute(),
    db.selectFrom('kyc_staged_photo').select('file_key').execute(),
  ])
  return rows.flatMap((some) => some.map(({ file_key }) => file_key)).toSorted()
}
const sweep = () => removePendingFiles(db, files, 0, 1000)

describe('an uploaded photo', () => {
  test('is added to the application in the given order, beside data URLs, and removed from pending ones', async () => {
    const member = await aSignedInMember(started)
    const [one, two] = [await stage(member), await stage(member, await aPicture('png', { width: 999 }))]
    expect([one.status, two.status]).toEqual([201, 201])
    const answer = await submit(member, [`staged:${two.body.id}`, await aPicture(), `staged:${one.body.id}`])
    expect(answer).toMatchObject({ status: 201, body: { photoCount: 3 } })
    expect((await drop(member, one.body.id)).status).toBe(404)
    await sweep()
    expect(await namesOnDisk()).toEqual(await namesInDatabase())
  })

  test('belongs to its member only', async () => {
    const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
    const { body } = await stage(member)
    const answer = await submit(other, [`staged:${body.id}`])
    expect(answer.problem.errors).toEqual([
      expect.objectContaining({ path: 'photoUrls.0', code: 'photo_gone' }),
    ])
    expect((await drop(other, body.id)).status).toBe(404)
    expect((await drop(member, body.id)).body).toEqual({ dropped: true })
  })

  test('is checked like any other', async () => {
    const answer = await stage(await aSignedInMember(started), 'data:image/png;base64,AAAA')
    expect(answer.problem.errors).toEqual([expect.objectContaining({ path: 'photo', code: 'picture' })])
  })

  test('is one of at most sixteen: the oldest are dropped with their files, even concurrently', async () => {
    const member = await aSignedInMember(started)
    const ids: string[] = []
    for (let n = 0; n < stagedPhotosMax; n += 1) ids.push((await stage(member)).body.id)
    const more = await Promise.all([1, 2, 3].map(() => stage(member)))
    expect(more.map(({ status }) => status)).toEqual([201, 201, 201])
    const waiting = (await waitingOf(member)).map(({ id }) => id)
    expect(waiting).toHaveLength(stagedPhotosMax)
    expect(waiting.slice(3)).toEqual(ids.slice(3).toReversed())
    expect(new Set(waiting.slice(0, 3))).toEqual(new Set(more.map(({ body }) => body.id)))
    const gone = await submit(member, [`staged:${ids[0]}`])
    expect(gone.problem.errors).toEqual([
      expect.objectContaining({ path: 'photoUrls.0', code: 'photo_gone' }),
    ])
    await sweep()
    expect(await namesOnDisk()).toEqual(await namesInDatabase())
  })

  test('is listed only for its member until it is submitted', async () => {
    const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
    expect(await waitingOf(member)).toEqual([])
    const { id, bytes } = (await stage(member)).body
    expect(await waitingOf(member)).toEqual([{ id, bytes, at: expect.any(String) }])
    expect(await waitingOf(other)).toEqual([])
    await submit(member, [`staged:${id}`])
    expect(await waitingOf(member)).toEqual([])
  })

  test('is deleted with its file after two hours', async () => {
    const member = await aSignedInMember(started)
    const { body } = await stage(member)
    const { file_key } = await db
      .updateTable('kyc_staged_photo')
      .set({ created_at: new Date(Date.now() - stagedPhotoAge - 1000) })
      .where('id', '=', body.id)
      .returning('file_key')
      .executeTakeFirstOrThrow()
    await deleteOldStagedPhotos(db, stagedPhotoAge)
    await sweep()
    expect(await files.get(file_key)).toBeUndefined()
    expect((await submit(member, [`staged:${body.id}`])).status).toBe(400)
  })
})

test.each([
  ['sent ahead', stage],
  ['handed in', async (by: TestMember) => submit(by, [await aPicture()])],
])('a photo that is %s while its member is erased does not stay', async (_, send) => {
  const member = await aSignedInMember(started)
  const whole = files.put
  files.put = async (key, bytes) => {
    await whole(key, bytes)
    await call(api.eraseMember, { body: { current: member.password } }, { token: member.token })
  }
  const refused = await send(member)
  files.put = whole
  expect(refused.problem.code).toBe('session_expired')
  for (const table of ['kyc_staged_photo', 'kyc_application'] as const)
    expect(await db.selectFrom(table).select('id').where('member_id', '=', member.id).execute()).toEqual([])
  await sweep()
  expect(await namesOnDisk()).toEqual(await namesInDatabase())
})

describe('a failing store', () => {
  const breakStore = (method: 'put' | 'get') => {
    const whole = files[method]
    Object.assign(files, { [method]: () => Promise.reject(new StoreFailed({ code: 'ENOSPC' })) })
    return () => void Object.assign(files, { [method]: whole })
  }

  test.each(['put', 'get'] as const)('at %s gets 503, and leaves nothing', async (method) => {
    const member = await aSignedInMember(started)
    const { body } = await stage(member)
    const mend = breakStore(method)
    const failed = await submit(member, [`staged:${body.id}`])
    mend()
    expect(failed).toMatchObject({ status: 503, problem: { code: 'unavailable' } })
    expect((await call(api.findKyc, { body: {} }, { token: member.token })).body).toEqual([])
    await sweep()
    expect(await namesOnDisk()).toEqual(await namesInDatabase())
    // The uploaded photos are still there, so the retry needs no new upload.
    expect((await submit(member, [`staged:${body.id}`])).status).toBe(201)
  })

  test('that fails halfway leaves no file', async () => {
    const member = await aSignedInMember(started)
    const whole = files.put
    let n = 0
    files.put = (key, bytes) =>
      (n += 1) > 2 ? Promise.reject(new StoreFailed({ code: 'EIO' })) : whole(key, bytes)
    const failed = await submit(member, await Promise.all([1, 2, 3].map(() => aPicture())))
    files.put = whole
    expect(failed.status).toBe(503)
    await sweep()
    expect(await namesOnDisk()).toEqual(await namesInDatabase())
  })

  test('or a cleanup faster than the record leaves no partial record', async () => {
    const member = await aSignedInMember(started)
    const whole = files.put
    files.put = async (key, bytes) => {
      await whole(key, bytes)
      await sweep()
    }
    const failed = await submit(member, [await aPicture()])
    files.put = whole
    expect(failed.status).toBe(503)
    expect((await call(api.findKyc, { body: {} }, { token: member.token })).body).toEqual([])
  })
})

test('shows the applicant the history: steps and views, with the names of staff', async () => {
  const member = await aSignedInMember(started)
  const officer = await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer One' })
  const { body } = await submit(member, [await aPicture()])
  const history = async (by: TestMember) =>
    call(api.getKycHistory, { params: { id: body._id } }, { token: by.token })
  expect((await history(member)).body).toEqual({
    steps: [{ at: expect.any(String), from: null, to: 'submitted', reason: '' }],
    photos: [{ n: 0, verdict: 'open', reason: '', round: 1, isReplaced: false }],
    views: [],
    usualHours: null,
    receipt: null,
    validUntil: null,
  })
  await call(api.getKyc, { params: { id: body._id } }, { token: officer.token })
  await call(api.getKycPhoto, { params: { id: body._id, n: 0 } }, { token: officer.token })
  await call(
    api.updateKyc,
    { body: { id: body._id, status: 'more_info', reason: 'The back, please.' } },
    { token: officer.token },
  )
  const { steps, views } = (await history(member)).body
  expect(steps.at(-1)).toMatchObject({ from: 'submitted', to: 'more_info', reason: 'The back, please.' })
  expect(views.map(({ by, what }) => [by, what])).toEqual([
    ['Officer One', 'photo'],
    ['Officer One', 'record'],
  ])
  expect((await history(await aSignedInMember(started))).status).toBe(403)
})
