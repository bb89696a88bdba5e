import { afterAll, expect, test } from 'vitest'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { readAmbassadorPicture } from '#api/people/ambassadors/profiles/public-handlers.ts'
import { makeSiteContent } from '#api/platform/site-content/site-content.ts'
import ambassadors from '#content/facts/ambassadors.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import { anAmbassador, aSubmittedProfile, aWrittenProfile } from '#tests/ambassadors.ts'
import { ambassadorsAtWork } from '#tests/invitations-at-work.ts'
import { aMember, anEmail, aPicture, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { reserveSlugsOfContent } from './assign-slug.ts'

const [ofContent] = ambassadors
const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const { asBoard, own, save, seen, approve, joined, published, pageOf, publicNames } =
  await ambassadorsAtWork(started)

test('a hidden ambassador is off the page but known; after an end, the page shows its date', async () => {
  const { member, id, slug } = await published({ picture: await aPicture() })
  const photo = (await pageOf(slug)).body.profile!.photo!.split('/').at(-1)!
  const set = (from: 'active' | 'hidden' | 'ended', to: 'active' | 'hidden' | 'ended') =>
    call(api.setAmbassadorStatus, { params: { id }, body: { from, to, reason: 'As we agreed.' } }, asBoard)
  expect((await set('active', 'hidden')).body.standing).toBe('hidden')
  expect(await publicNames()).not.toContain(slug)
  expect((await pageOf(slug)).body).toMatchObject({
    name: { en: 'Sample Person' },
    endedAt: null,
    profile: null,
  })
  expect(await readAmbassadorPicture(services, photo)).toBeUndefined()
  expect((await set('active', 'ended')).problem.code).toBe('conflict')
  expect((await set('hidden', 'active')).body.standing).toBe('public')
  expect(await publicNames()).toContain(slug)
  expect((await set('active', 'ended')).body.standing).toBe('ended')
  expect((await pageOf(slug)).body).toMatchObject({ endedAt: expect.any(String), profile: null })
  expect((await set('ended', 'active')).problem.code).toBe('conflict')
  expect((await save(member)).problem.code).toBe('conflict')
  expect((await own(member)).ambassador).toMatchObject({ standing: 'ended', reason: 'As we agreed.' })
  expect((await mailsTo(member.email)).map(({ kind }) => kind).slice(-3)).toEqual([
    'ambassador-hidden',
    'ambassador-shown',
    'ambassador-ended',
  ])
})

test('reviewers cannot decide about themselves', async () => {
  const member = await aSignedInMember(started, { manage_employee: 2 })
  const { id } = await anAmbassador(started, { memberId: member.id })
  const { updated_at } = await aSubmittedProfile(started, { id, slug: `own-${id}`, code: '' })
  const basedOn = updated_at.toISOString()
  const as = { token: member.token }
  const { en, cn } = aWrittenProfile
  const answers = [
    await call(api.approveAmbassadorProfile, { params: { id }, body: { basedOn, en, cn } }, as),
    await call(api.returnAmbassadorProfile, { params: { id }, body: { basedOn, reason: 'No.' } }, as),
    await call(
      api.setAmbassadorStatus,
      { params: { id }, body: { from: 'active', to: 'ended', reason: 'No.' } },
      as,
    ),
    await call(api.setAmbassadorOrder, { params: { id }, body: { place: 1 } }, as),
  ]
  expect(new Set(answers.map(({ problem }) => problem.code))).toEqual(new Set(['forbidden']))
  const invited = await anAmbassador(started, { email: member.email.replace('@', '+club@') })
  const ended = await call(
    api.setAmbassadorStatus,
    { params: { id: invited.id }, body: { from: 'active', to: 'ended', reason: 'No.' } },
    as,
  )
  expect(ended.problem.code).toBe('forbidden')
})

test('reviewers cannot see live counts and flags of their own invitations', async () => {
  const member = await aSignedInMember(started, { manage_employee: 1, display_name: 'Both' })
  const { id } = await anAmbassador(started, { memberId: member.id })
  const as = { token: member.token }
  const { body } = await call(api.getConsoleAmbassador, { params: { id } }, as)
  const hidden = { activations: null, identities: null, flagged: null }
  expect(body).toMatchObject({ isOwn: true, results: null, ...hidden })
  const { body: list } = await call(api.listConsoleAmbassadors, { query: { limit: 100 } }, as)
  expect(list.find((each) => each.id === id)).toMatchObject(hidden)
  expect(await seen(id)).toMatchObject({ isOwn: false, results: { points: 0 }, flagged: 0 })
})

test('a profile that was never public cannot be hidden, and its owner is not told about a page', async () => {
  const { member, id } = await joined()
  const { id: invited } = await anAmbassador(started, { email: anEmail() })
  const set = (of: string, to: 'hidden' | 'ended') =>
    call(
      api.setAmbassadorStatus,
      { params: { id: of }, body: { from: 'active', to, reason: 'No.' } },
      asBoard,
    )
  expect((await set(invited, 'hidden')).problem.code).toBe('conflict')
  expect((await set(id, 'hidden')).problem.code).toBe('conflict')
  expect((await set(id, 'ended')).body.standing).toBe('ended')
  const mail = (await mailsTo(member.email)).at(-1)!
  expect([mail.kind, mail.text.includes('page now says')]).toEqual(['ambassador-ended-unlisted', false])
})

test('reviewers set the display order', async () => {
  const three = [await published(), await published(), await published()]
  const mine = async () => (await publicNames()).filter((slug) => three.some((each) => each.slug === slug))
  const [a, b, c] = three.map(({ slug }) => slug)
  expect(await mine()).toEqual([a, b, c])
  const { place } = await seen(three[0]!.id)
  await call(api.setAmbassadorOrder, { params: { id: three[2]!.id }, body: { place: place! } }, asBoard)
  expect(await mine()).toEqual([c, a, b])
  await call(api.setAmbassadorOrder, { params: { id: three[2]!.id }, body: { place: 100_000 } }, asBoard)
  expect(await mine()).toEqual([a, b, c])
  await Promise.all(
    three.map(({ id }) => call(api.setAmbassadorOrder, { params: { id }, body: { place: 1 } }, asBoard)),
  )
  expect((await mine()).toSorted()).toEqual([a, b, c].toSorted())
})

test('page addresses are readable, unique, and never reassigned to another person', async () => {
  const named = (name: string) => ({ en: { ...aWrittenProfile.en, name } })
  const one = await published(named('Zoë O’Brien-Example'))
  expect(one.slug).toBe('zoe-obrien-example')
  await call(api.eraseMember, { body: { current: one.member.password } }, { token: one.member.token })
  const [two, three] = await Promise.all([
    published(named('Zoe OBrien Example')),
    published(named('Zoe OBrien Example')),
  ])
  expect([two.slug, three.slug].toSorted()).toEqual(['zoe-obrien-example-2', 'zoe-obrien-example-3'])
  // An entry from content/.
  expect((await published(named(ofContent!.en.name))).slug).toBe(`${ofContent!.id}-2`)
  expect((await published(named('!?'))).slug).toMatch(/^ambassador-\d+$/)
})

test('never assigns an address from content/, even after its entry is gone', async () => {
  const content = makeSiteContent()
  const entry = { ...ofContent!, id: 'gone-example' }
  content.override(new Map([['facts/ambassadors.json', [...ambassadors, entry]]]))
  await reserveSlugsOfContent({ ...services, content })
  const { slug } = await published({ en: { ...aWrittenProfile.en, name: 'Gone Example' } })
  expect(slug).toBe('gone-example-2')
})

test('an address with capitals leads to the same page', async () => {
  const { slug } = await published()
  expect((await pageOf(slug.toUpperCase())).body).toMatchObject({ slug, endedAt: null })
})

test('changing the name keeps the address', async () => {
  const { member, id, slug } = await published()
  await save(member, { en: { ...aWrittenProfile.en, name: 'Another Name' }, submit: true })
  expect((await approve(id)).body.slug).toBe(slug)
})

test('staff find ambassadors by name and by pending review', async () => {
  const { member, id } = await joined()
  await save(member, { submit: true })
  const list = async (query: object) =>
    (await call(api.listConsoleAmbassadors, { query: { limit: 100, ...query } }, asBoard)).body
  expect((await list({ standing: 'waiting' })).map((each) => each.id)).toContain(id)
  expect((await list({ standing: 'public' })).map((each) => each.id)).not.toContain(id)
  expect(await list({ q: '100%' })).toEqual([])
  const one = await call(api.listConsoleAmbassadors, { query: { limit: 1 } }, asBoard)
  expect(one.body).toHaveLength(1)
  expect(String(one.headers['link'])).toContain('rel="next"')
})

test('the home page counts reviews for those who may approve, matching the list', async () => {
  const [one, own, ended] = [await joined(), await joined(), await joined()]
  for (const { member } of [one, own, ended]) await save(member, { submit: true })
  await services.db
    .updateTable('ambassador')
    .set({ ended_at: new Date() })
    .where('id', '=', ended.id)
    .execute()
  await updateMemberRow(services.db, own.member.id, { manage_employee: 2 })
  const told = async (token: { token: string }) => {
    const { body: waiting } = await call(api.listNeedsAttention, {}, token)
    const { body: list } = await call(
      api.listConsoleAmbassadors,
      { query: { standing: 'waiting', limit: 100 } },
      token,
    )
    const found = waiting.find(({ what }) => what === 'ambassador_profiles')!
    expect(found.count).toBe(list.length)
    return list.map(({ id }) => id)
  }
  expect(await told(asBoard)).toEqual(expect.arrayContaining([one.id, own.id]))
  expect(await told(asBoard)).not.toContain(ended.id)
  const asOwn = { token: own.member.token }
  expect(await told(asOwn)).toContain(one.id)
  expect(await told(asOwn)).not.toContain(own.id)
})

test('staff see public names in both languages, and the application’s name before', async () => {
  const { id } = await published()
  expect((await seen(id)).name).toEqual({ en: aWrittenProfile.en.name, cn: aWrittenProfile.cn.name })
  const { member, id: unwritten } = await joined()
  expect((await seen(unwritten)).name).toEqual({ en: 'Sample Applicant', cn: 'Sample Applicant' })
  await save(member, { en: { name: '', place: '', sentence: '' }, submit: true })
  expect((await seen(unwritten)).name).toEqual({ en: 'Sample Applicant', cn: aWrittenProfile.cn.name })
})

test('the export contains the profile', async () => {
  const { member, slug } = await published()
  const { body } = await call(api.exportMember, {}, { token: member.token })
  expect(body).toMatchObject({
    ambassador: [{ slug, profiles: [{ state: 'approved', en: aWrittenProfile.en }] }],
  })
})

test('an invitation is deleted only with the account that owns its mailbox', async () => {
  const [email, other] = [anEmail(), anEmail()]
  const { id } = await anAmbassador(started, { email })
  const { id: kept } = await anAmbassador(started, { email: other })
  const owner = await aMember(started, { email })
  const stranger = await aMember(started, { email: other, isElsewhere: true })
  for (const member of [owner, stranger])
    await call(api.eraseMember, { body: { current: member.password } }, { token: member.token })
  const left = await services.db.selectFrom('ambassador').select('id').where('id', 'in', [id, kept]).execute()
  expect(left).toEqual([{ id: kept }])
})
