import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { hashSecret, randomSecret } from '#api/platform/keys.ts'
import { anApplication, anOrder, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { unzip } from '#tests/setup/unzip.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1'

const download = (member: TestMember, input = {}, headers: Record<string, string> = {}) =>
  call(api.exportMember, input, { token: member.token, headers })

const filesOf = async (member: TestMember) => {
  const { body } = await download(member, { query: { format: 'zip' } })
  return unzip(body as unknown as Buffer)
}
const jsonIn = (files: Map<string, Buffer>, name: string) =>
  JSON.parse(files.get(name)!.toString()) as unknown

test('contains every part as a separate file, and the pictures as uploaded', async () => {
  const member = await aSignedInMember(started)
  for (let n = 0; n < 101; n += 1) await anOrder(started, member.id)
  const application = await anApplication(started, member)
  await call(api.getKycPhoto, { params: { id: application._id, n: 0 } }, { token: finance.token })
  await call(api.setAntiPhishingPhrase, { body: { phrase: 'Two grey herons' } }, { token: member.token })

  const answer = await download(member, { query: { format: 'zip' } })
  expect(answer.status).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'cache-control': 'no-store',
    'content-disposition': expect.stringMatching(
      /^attachment; filename="data\.zip"; filename\*=UTF-8''\S+\.zip$/,
    ),
  })
  const files = unzip(answer.body as unknown as Buffer)
  const picture = 'identity photos/application 1, photo 1.jpg'
  expect([...files.keys()]).toEqual([
    'README.txt',
    'profile.json',
    'sessions.json',
    'sign-ins.json',
    'staff-notes.json',
    'passkeys.json',
    'orders.json',
    'withdrawals.json',
    'identity-applications.json',
    'waiting-photos.json',
    'phones.json',
    'ambassador-applications.json',
    'ambassador.json',
    'invitation.json',
    'working-copies.json',
    'newsletter.json',
    'sale-reminder.json',
    'sale-rounds.json',
    'conversations.json',
    'consents.json',
    'saved-views.json',
    'notifications.json',
    'api-tokens.json',
    'mails.json',
    'mailbox.json',
    'account-notifications.json',
    'emails-off.json',
    'activity.json',
    'views.json',
    picture,
  ])
  expect(jsonIn(files, 'profile.json')).toMatchObject({ email: member.email, phrase: 'Two grey herons' })
  expect(jsonIn(files, 'orders.json')).toHaveLength(101)
  expect(jsonIn(files, 'identity-applications.json')).toMatchObject([
    { _id: application._id, pictures: [picture] },
  ])
  expect(jsonIn(files, 'views.json')).toMatchObject([{ action: 'kyc-photo-viewed', by: 'staff 1' }])
  expect(jsonIn(files, 'activity.json')).toContainEqual(
    expect.objectContaining({ action: 'member-exported', by: 'you' }),
  )
  for (const file of ['mails.json', 'account-notifications.json'])
    expect(jsonIn(files, file)).toContainEqual(expect.objectContaining({ kind: 'data-exported' }))
  expect(await sharp(files.get(picture)).metadata()).toMatchObject({ format: 'jpeg', width: 640 })
  const readMe = files.get('README.txt')!.toString()
  const explained = [...files.keys()].filter((name) => name.endsWith('.json'))
  for (const name of explained) expect(readMe).toContain(name)
  expect(readMe).not.toMatch(/[{}]/)
  const all = Buffer.concat([...files.values()]).toString()
  expect(all).not.toContain(finance.id)
  expect(all).not.toContain(finance.email)
})

test('contains pending photos and the phone that sent them', async () => {
  const member = await aSignedInMember(started)
  const { link } = (await call(api.createHandoff, { body: { room: 8 } }, { token: member.token })).body
  const phoneSecret = randomSecret(32)
  await call(api.openHandoff, { body: { link, secret: phoneSecret } }, { headers: { 'user-agent': iPhone } })
  await call(api.stageHandoffPhoto, { body: { photo: await aPicture('png', { width: 770 }) }, phoneSecret })
  await call(api.stageKycPhoto, { body: { photo: await aPicture() } }, { token: member.token })

  const files = await filesOf(member)
  const names = [1, 2].map((n) => `identity photos/not submitted, photo ${n}.jpg`)
  expect(jsonIn(files, 'waiting-photos.json')).toEqual([
    { sentAt: expect.any(String), byPhone: true, picture: names[0] },
    { sentAt: expect.any(String), byPhone: false, picture: names[1] },
  ])
  expect(await sharp(files.get(names[0]!)).metadata()).toMatchObject({ format: 'jpeg', width: 770 })
  expect(jsonIn(files, 'phones.json')).toMatchObject([{ device: 'Safari · iOS', endedAt: null }])
  const { waitingPhotos } = (await download(member)).body as { waitingPhotos: { picture: string }[] }
  const shown = await sharp(Buffer.from(waitingPhotos[0]!.picture.split(',')[1]!, 'base64')).metadata()
  expect([waitingPhotos.length, shown.width]).toEqual([2, 770])
  for (const secret of [link, phoneSecret]) {
    const all = [...files.values()].map(String).join('')
    expect([all.includes(secret), all.includes(hashSecret(secret))]).toEqual([false, false])
  }
})

test('Accept requests the archive too, and the query takes precedence', async () => {
  const member = await aSignedInMember(started)
  const headers = { accept: 'application/zip' }
  expect((await download(member, {}, headers)).headers['content-type']).toBe('application/zip')
  const json = await download(member, { query: { format: 'json' } }, headers)
  expect(json.headers['content-type']).toContain('application/json')
  expect((await download(member, { query: { format: 'tar' } })).problem.errors).toEqual([
    expect.objectContaining({ path: 'format', code: 'one_of' }),
  ])
  expect((await mailsTo(member.email)).map(({ kind }) => kind)).toEqual(['data-exported', 'data-exported'])
})

test('explanations and names are Chinese for a Chinese reader', async () => {
  const member = await aSignedInMember(started)
  await anApplication(started, member)
  await services.db.updateTable('member').set({ language: 'cn' }).where('id', '=', member.id).execute()
  const files = await filesOf(member)
  expect([...files.keys()]).toContain('证件照片/申请 1 照片 1.jpg')
  expect(files.get('README.txt')!.toString()).toMatch(/\p{Script=Han}/u)
})

test('a picture whose file is lost does not stop the archive', async () => {
  const member = await aSignedInMember(started)
  const { _id } = await anApplication(started, member)
  const { file_key } = await services.db
    .selectFrom('kyc_photo')
    .select('file_key')
    .where('application_id', '=', _id)
    .executeTakeFirstOrThrow()
  await services.files.remove(file_key)
  const files = await filesOf(member)
  expect(files.get('identity photos/application 1, photo 1.jpg')).toHaveLength(0)
  expect(jsonIn(files, 'views.json')).toEqual([])
})

test('an archive that cannot be completed is aborted, and the server continues', async () => {
  const member = await aSignedInMember(started)
  const { _id } = await anApplication(started, member)
  await services.db
    .updateTable('kyc_application')
    .set({ sealed_data_key: Buffer.from('damaged') })
    .where('id', '=', _id)
    .execute()
  const answer = await download(member, { query: { format: 'zip' } }).catch(() => 'cut off' as const)
  // If nothing was sent yet, the export fails instead.
  if (answer !== 'cut off') expect(answer.problem.code).toBe('unexpected')
  expect((await call(api.listSessions, {}, { token: member.token })).status).toBe(200)
})
