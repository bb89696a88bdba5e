import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { readAmbassadorPicture } from '#api/people/ambassadors/profiles/public-handlers.ts'
import { api } from '#contract/api.ts'
import { anAmbassador, aWrittenProfile } from '#tests/ambassadors.ts'
import { ambassadorsAtWork } from '#tests/invitations-at-work.ts'
import { aMember, anEmail, aPicture, aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const { db } = services
const { asBoard, own, join, save, seen, approve, joined, published, pageOf } =
  await ambassadorsAtWork(started)

test('only the account with the verified mailbox finds the invitation', async () => {
  const email = anEmail()
  const { id } = await anAmbassador(started, { email })
  // Activated on another device than the one where the password was entered: the account may be a stranger's.
  const unproved = await aMember(started, { email, isElsewhere: true })
  expect(await own(unproved)).toEqual({ state: 'unproved', ambassador: null })
  expect((await join(unproved)).problem.code).toBe('not_found')
  const other = await aSignedInMember(started)
  expect(await own(other)).toEqual({ state: 'none', ambassador: null })
  expect((await join(other)).problem.code).toBe('not_found')
  await db
    .updateTable('member')
    .set({ address_proved_at: new Date() })
    .where('id', '=', unproved.id)
    .execute()
  expect((await own(unproved)).state).toBe('invited')
  const answers = await Promise.all([join(unproved), join(unproved)])
  expect(answers.map(({ status, body }) => [status, body.ambassador?.id])).toEqual([
    [200, id],
    [200, id],
  ])
})

test('reveals no invitation to an unverified account', async () => {
  const email = anEmail()
  const stranger = await aMember(started, { email, isElsewhere: true })
  const without = await own(stranger)
  await anAmbassador(started, { email })
  expect(await own(stranger)).toEqual(without)
})

test('the ambassador stays with an account that changes its address', async () => {
  const { member, id } = await joined()
  const former = member.email
  await db.updateTable('member').set({ email: anEmail() }).where('id', '=', member.id).execute()
  expect((await own(member)).ambassador?.id).toBe(id)
  const successor = await aMember(started, { email: former })
  expect((await own(successor)).state).toBe('none')
})

test('the approved version stays public while the next one awaits review', async () => {
  const { member, id, slug } = await published()
  const change = { ...aWrittenProfile.en, place: 'Bergen, Norway' }
  await save(member, { en: change })
  expect((await seen(id)).submitted).toBeNull()
  await save(member, { en: change, submit: true })
  expect(await seen(id)).toMatchObject({
    approved: { en: { place: 'Oslo, Norway' } },
    submitted: { en: { place: 'Bergen, Norway' } },
  })
  expect((await pageOf(slug)).body.profile?.place.en).toBe('Oslo, Norway')
  await approve(id)
  expect((await pageOf(slug)).body.profile?.place.en).toBe('Bergen, Norway')
  expect((await own(member)).ambassador).toMatchObject({ slug, inWork: null })
})

test('the ambassador writes one language and a reviewer the other; both are required', async () => {
  const { member, id } = await joined()
  const nothing = { name: '', place: '', sentence: '' }
  const refused = await save(member, { en: nothing, cn: { ...nothing, name: '样本' }, submit: true })
  expect(refused.problem.errors?.map(({ path, code }) => [path, code])).toEqual([
    ['cn.place', 'required'],
    ['cn.sentence', 'required'],
  ])
  expect((await save(member, { en: nothing, submit: true })).status).toBe(200)
  const incomplete = await approve(id)
  expect(incomplete.problem.errors?.map(({ path }) => path)).toEqual(['en.name', 'en.place', 'en.sentence'])
  const approved = await approve(id, { en: aWrittenProfile.en })
  expect(approved.body.approved).toMatchObject({ en: aWrittenProfile.en, cn: aWrittenProfile.cn })
})

test.each([
  [{ link: 'http://social.example/a' }, 'link', 'invalid'],
  [{ link: 'javascript:alert(1)' }, 'link', 'invalid'],
  [{ link: 'https://good.example@evil.example/' }, 'link', 'invalid'],
  [{ link: 'https://localhost/' }, 'link', 'invalid'],
  [{ languages: ['en', 'en'] }, 'languages', 'invalid'],
  [{ languages: ['xx'] }, 'languages.0', 'one_of'],
  [{ en: { ...aWrittenProfile.en, name: 'x'.repeat(101) } }, 'en.name', 'too_long'],
  [{ picture: 'data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=' }, 'picture', 'picture'],
  [{ picture: 'data:application/pdf;base64,JVBERi0=' }, 'picture', 'picture'],
  [{ picture: 'no picture' }, 'picture', 'picture'],
  [{ slug: 'mine' }, 'slug', 'unknown'],
])('a profile is refused by its field: %j', async (fields, path, code) => {
  const { member } = await joined()
  const answer = await save(member, fields as never)
  expect(answer.problem.errors).toEqual([expect.objectContaining({ path, code })])
})

test('scales and crops a large picture, removes its metadata, and publishes it after approval', async () => {
  const { member, id } = await joined()
  const photo = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#884422' } })
    .withExif({ IFD0: { Copyright: 'whereabouts' } })
    .jpeg()
    .toBuffer()
  await save(member, { picture: `data:image/jpeg;base64,${photo.toString('base64')}`, submit: true })
  const draft = (await own(member)).ambassador!.inWork!.picture!
  const bytes = Buffer.from(draft.split(',')[1]!, 'base64')
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 })
  expect(bytes.includes('whereabouts')).toBe(false)
  const { picture } = await db
    .selectFrom('ambassador_profile')
    .select('picture')
    .where('ambassador_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await readAmbassadorPicture(services, `${picture}-512.webp`)).toBeUndefined()
  const { body } = await approve(id)
  const { photo: address } = (await pageOf(body.slug!)).body.profile!
  expect(address).toBe(`/assets/media/ambassadors/${picture}-512.webp`)
  expect(await readAmbassadorPicture(services, `${picture}-512.webp`)).toEqual(bytes)
  expect(await readAmbassadorPicture(services, `../${picture}-512.webp`)).toBeUndefined()
})

test('a replaced, removed, or erased picture leaves no file', async () => {
  const { member, slug } = await published({ picture: await aPicture() })
  const files = async () => {
    await cleanUp(services)
    const rows = await db
      .selectFrom('ambassador_profile')
      .select('picture')
      .where('picture', 'is not', null)
      .execute()
    const left: string[] = []
    for (const name of names) if (await services.files.get(`ambassadors/${name}-128`)) left.push(name)
    return { left, known: rows.map(({ picture }) => picture!) }
  }
  const first = (await pageOf(slug)).body.profile!.photo!.split('/').at(-1)!.slice(0, 32)
  const names = [first]
  await save(member, { picture: await aPicture('png') })
  const second = (
    await db
      .selectFrom('ambassador_profile')
      .select('picture')
      .where('state', '=', 'draft')
      .where('picture', '!=', first)
      .executeTakeFirstOrThrow()
  ).picture!
  names.push(second)
  expect((await files()).left).toEqual([first, second])
  await save(member, { picture: '' })
  expect((await files()).left).toEqual([first])
  const erased = await call(api.eraseMember, { body: { current: member.password } }, { token: member.token })
  expect(erased.status).toBe(200)
  expect((await files()).left).toEqual([])
  expect((await pageOf(slug)).status).toBe(404)
})

test('a save or an approval based on an outdated version is a conflict', async () => {
  const { member, id } = await joined()
  const [one, two] = [
    await save(member, { basedOn: null, submit: true }),
    await save(member, { basedOn: null }),
  ]
  expect([one.status, two.problem.code]).toEqual([200, 'conflict'])
  const { submitted } = await seen(id)
  await save(member, { submit: true, link: '' })
  const late = await call(
    api.approveAmbassadorProfile,
    { params: { id }, body: { basedOn: submitted!.updatedAt, en: submitted!.en, cn: submitted!.cn } },
    asBoard,
  )
  expect(late.problem.code).toBe('conflict')
  expect((await own(member)).ambassador).toMatchObject({ approved: null, inWork: { state: 'submitted' } })
})

test('a returned profile has its reason, also by email, and the public version stays', async () => {
  const { member, id, slug } = await published()
  await save(member, { submit: true, link: '' })
  const { submitted } = await seen(id)
  const reason = 'Please write where you live.'
  const body = { basedOn: submitted!.updatedAt, reason }
  expect((await call(api.returnAmbassadorProfile, { params: { id }, body }, asBoard)).status).toBe(200)
  expect((await own(member)).ambassador?.inWork).toMatchObject({ state: 'returned', reason })
  expect((await pageOf(slug)).body.profile).not.toBeNull()
  const mail = (await mailsTo(member.email)).at(-1)!
  expect([mail.kind, mail.text]).toEqual(['ambassador-profile-returned', expect.stringContaining(reason)])
})
