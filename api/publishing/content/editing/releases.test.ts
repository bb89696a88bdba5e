import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import home from '#content/messages/en/home.json' with { type: 'json' }
import legal from '#content/messages/en/legal.json' with { type: 'json' }
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { ownBrand as brand } from '#tests/own-brand.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { inTime } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { applyPublished } from './apply-published.ts'
import { publishDueContent } from './content-worker.ts'

const started = await startApi({ CONTENT_TWO_PERSONS: 'legal, links' }, afterAll)
const { services } = started
const { db } = services
const [one, two] = [await aContentDesk(started), await aContentDesk(started)]
const [key] = Object.keys(home) as [keyof typeof home]
const [legalKey] = Object.keys(legal) as [keyof typeof legal]
const linkPlace = { links: { ...brand.links, exchange: 'https://other.example' } }

const proposed = async (by = one, phone = '+1 555 0107') => {
  const { published } = await by.read('brand.json')
  await by.save('brand.json', { '': { ...(published as object), ...linkPlace, phone } })
  const { body, status, problem } = await by.publish(['brand.json'])
  expect({ status, problem: status < 300 ? null : problem }).toEqual({ status: 200, problem: null })
  expect(body.state).toBe('proposed')
  return body
}
const confirm = (by: typeof one, id: string) =>
  by.call(api.confirmContentRelease, { params: { id }, body: {} })
const cancel = (by: typeof one, id: string, reason?: string) =>
  by.call(api.cancelContentRelease, { params: { id }, body: reason === undefined ? {} : { reason } })
const waiting = async () => (await one.call(api.listContentReleases, {})).body
const makeDue = (id: string) =>
  db
    .updateTable('content_release')
    .set({ publish_at: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', id)
    .execute()
const schedule = async (by: typeof one, piece: string, changes: Record<string, unknown>) => {
  const { version } = await by.save(piece, changes)
  return by.call(api.scheduleContent, { body: { pieces: [{ piece, version }], ...inTime(HOUR) } })
}
const dropped = async (by: typeof one) =>
  (await by.call(api.listContentReleases, { query: { state: 'dropped' } })).body
const recorded = async (action: string) => {
  const rows = await db.selectFrom('audit_entry').select('subject_id').where('action', '=', action).execute()
  return rows.map(({ subject_id }) => subject_id)
}
const requestStepUp = (by: typeof one) =>
  db
    .updateTable('session')
    .set({ proved_at: sql<Date>`now()` })
    .where('member_id', '=', by.editor.id)
    .execute()
const scheduleLink = async (by: typeof one, phone: string) => {
  const { published } = await by.read('brand.json')
  return schedule(by, 'brand.json', { '': { ...(published as object), phone } })
}
const shown = () => services.content.words('en', 'home')![key]

test('a link awaits a second person, who sees the changes; authors cannot approve their own', async () => {
  const release = await proposed()
  expect(release).toMatchObject({ sensitive: ['links'], mayConfirm: false, by: { id: one.editor.id } })
  expect(release.changes[0]!.changes.map(({ path }) => path)).toEqual(['phone', 'links.exchange'])
  expect(services.content.brand().links.exchange).toBe(brand.links.exchange)
  expect((await two.call(api.listContentReleases, {})).body).toMatchObject([
    { id: release.id, mayConfirm: true },
  ])
  const waitsFor = async (by: typeof one) =>
    (await by.call(api.listNeedsAttention, {})).body.find(({ what }) => what === 'content_proposals')?.count
  expect([await waitsFor(one), await waitsFor(two)]).toEqual([0, 1])
  expect((await confirm(one, release.id)).problem.code).toBe('forbidden')
  const confirmed = await confirm(two, release.id)
  expect(confirmed.body).toMatchObject({ state: 'published', confirmedBy: { id: two.editor.id } })
  expect(services.content.brand().links.exchange).toBe('https://other.example')
  expect((await confirm(two, release.id)).problem.code).toBe('conflict')
  const [version] = (await one.call(api.listContentVersions, { query: { piece: 'brand.json' } })).body
  expect(version).toMatchObject({ by: { id: one.editor.id }, confirmedBy: { id: two.editor.id } })
  expect(await waiting()).toEqual([])
})

test('plain texts need one person', async () => {
  await one.put('messages/home', { [`en.${key}`]: 'One person.' })
  expect(shown()).toBe('One person.')
})

test('any change of an item ends its proposal, because the reviewed content would change', async () => {
  const release = await proposed(one, '+1 555 0108')
  await one.save('brand.json', {
    '': { ...((await one.read('brand.json')).value as object), phone: '+1 555 0666' },
  })
  expect((await confirm(two, release.id)).problem.code).toBe('conflict')
  expect(services.content.brand().phone).toBe('+1 555 0107')
  const [ended] = (await one.call(api.listContentReleases, { query: { state: 'ended' } })).body
  expect(ended).toMatchObject({ id: release.id, state: 'overtaken' })
})

test('declining another’s proposal needs a reason, withdrawing one’s own does not', async () => {
  const first = await proposed(one, '+1 555 0109')
  expect((await cancel(two, first.id)).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
  expect((await cancel(two, first.id, 'Not ours.')).body.state).toBe('declined')
  expect((await dropped(one))[0]).toMatchObject({
    id: first.id,
    state: 'declined',
    ended: { by: { id: two.editor.id }, reason: 'Not ours.', cause: null },
  })
  expect((await one.read('brand.json')).hasDraft).toBe(true)
  const again = await one.publish(['brand.json'])
  expect((await cancel(one, again.body.id)).body.state).toBe('cancelled')
})

test('a proposal of someone who lost the right is not valid', async () => {
  const third = await aContentDesk(started)
  const release = await proposed(third, '+1 555 0110')
  await updateMemberRow(db, third.editor.id, { manage_news: 1 })
  expect((await confirm(two, release.id)).problem.code).toBe('conflict')
  expect((await cancel(two, release.id, 'Their author left.')).body.state).toBe('declined')
})

test('approving needs step-up, and two concurrent approvals publish once', async () => {
  const third = await aContentDesk(started)
  const release = await proposed(one, '+1 555 0111')
  await letProofAge(started, two.editor)
  expect((await confirm(two, release.id)).problem.code).toBe('step_up_required')
  const fourth = await aContentDesk(started)
  const answers = await Promise.all([confirm(third, release.id), confirm(fourth, release.id)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await requestStepUp(two)
})

test('a proposal cannot be approved after a week', async () => {
  const release = await proposed(one, '+1 555 0112')
  await db
    .updateTable('content_release')
    .set({ proposed_at: sql<Date>`now() - interval '8 days'` })
    .where('id', '=', release.id)
    .execute()
  await cleanUp(services)
  expect((await confirm(two, release.id)).problem.code).toBe('conflict')
  expect((await one.read('brand.json')).waiting).toBeNull()
  expect((await dropped(one))[0]).toMatchObject({ id: release.id, state: 'expired', ended: { by: null } })
  expect(await recorded('content-expired')).toEqual(['brand.json'])
})

test('a scheduled release is published on time, once, and cannot change before', async () => {
  const { body } = await schedule(one, 'messages/home', { [`en.${key}`]: 'In an hour.' })
  expect(body).toMatchObject({ state: 'scheduled', zone: 'Asia/Shanghai' })
  const { version } = await two.read('messages/home')
  const meanwhile = await two.call(api.saveContentDraft, {
    body: { piece: 'messages/home', version, changes: { [`en.${key}`]: 'Now.' } },
  })
  expect(meanwhile.problem.code).toBe('content_waits')
  await publishDueContent(services)
  expect(shown()).toBe('One person.')
  await makeDue(body.id)
  await Promise.all([publishDueContent(services), publishDueContent(services)])
  await applyPublished(services)
  expect(shown()).toBe('In an hour.')
  const versions = (await one.call(api.listContentVersions, { query: { piece: 'messages/home' } })).body
  expect(versions.filter(({ changes }) => changes.some(({ to }) => to === 'In an hour.'))).toHaveLength(1)
})

test('a canceled schedule is never published, and its draft stays', async () => {
  const { body } = await schedule(one, 'messages/home', { [`en.${key}`]: 'Never.' })
  expect((await cancel(two, body.id)).body.state).toBe('cancelled')
  await makeDue(body.id).catch(() => {})
  await publishDueContent(services)
  expect(await one.read('messages/home')).toMatchObject({ hasDraft: true, waiting: null })
  expect(shown()).toBe('In an hour.')
})

test('a due release whose author lost the right fails', async () => {
  const third = await aContentDesk(started)
  const { body } = await schedule(third, 'messages/home', { [`en.${key}`]: 'By somebody who left.' })
  await updateMemberRow(db, third.editor.id, { active: false })
  await makeDue(body.id)
  await publishDueContent(services)
  const [ended] = (await one.call(api.listContentReleases, { query: { state: 'ended' } })).body
  expect(ended).toMatchObject({ id: body.id, state: 'failed' })
  expect(await one.read('messages/home')).toMatchObject({ hasDraft: true, waiting: null })
})

test('a scheduled four-eyes release still needs both people and the current setting', async () => {
  const third = await aContentDesk(started)
  const { body } = await scheduleLink(one, '+1 555 0120')
  expect((await confirm(third, body.id)).body.state).toBe('scheduled')
  await updateMemberRow(db, third.editor.id, { active: false })
  await makeDue(body.id)
  await publishDueContent(services)
  expect((await dropped(one))[0]).toMatchObject({ id: body.id, state: 'failed', ended: { cause: 'second' } })
  expect(services.content.brand().phone).not.toBe('+1 555 0120')

  // Simulates a release scheduled before the setting required four-eyes approval.
  const alone = await scheduleLink(one, '+1 555 0121')
  await db
    .updateTable('content_release')
    .set({ state: 'scheduled' })
    .where('id', '=', alone.body.id)
    .execute()
  await makeDue(alone.body.id)
  await publishDueContent(services)
  expect((await dropped(one))[0]).toMatchObject({ id: alone.body.id, ended: { cause: 'takes_two' } })
  expect(services.content.brand().phone).not.toBe('+1 555 0121')
})

test('rejects a release that would change something other than what was reviewed', async () => {
  const release = await proposed(one, '+1 555 0122')
  const underneath = (phone: string) =>
    sql`update content_piece set override = jsonb_set(override::jsonb, '{phone}', to_jsonb(${phone}::text))::json
      where piece = 'brand.json'`.execute(db)
  await underneath('+1 555 0199')
  // Without asking for step-up authentication, which would be pointless.
  await letProofAge(started, two.editor)
  expect((await confirm(two, release.id)).problem.code).toBe('conflict')
  await requestStepUp(two)
  expect((await dropped(one))[0]).toMatchObject({
    id: release.id,
    state: 'overtaken',
    ended: { cause: 'changed' },
  })
  expect(await recorded('content-outdated')).toEqual(['brand.json'])
  const { body } = await scheduleLink(one, '+1 555 0123')
  await confirm(two, body.id)
  await underneath('+1 555 0198')
  await makeDue(body.id)
  await publishDueContent(services)
  expect((await dropped(one))[0]).toMatchObject({ id: body.id, state: 'failed', ended: { cause: 'changed' } })
})

test('a new version of a legal text asks every member again, even the second of a day', async () => {
  const member = await aSignedInMember(started)
  const state = async () => (await started.call(api.listConsents, {}, { token: member.token })).body
  const accept = async () => {
    const { due } = await state()
    await started.call(api.acceptConsents, { body: { consents: due } }, { token: member.token })
  }
  await accept()
  const renew = async (text: string) => {
    await one.save('messages/legal', { [`en.${legalKey}`]: text })
    const { body } = await one.publish(['messages/legal'], { newVersions: ['terms'] })
    expect(body).toMatchObject({ state: 'proposed', newVersions: ['terms'], sensitive: ['legal'] })
    expect((await state()).due).toEqual([])
    expect((await confirm(two, body.id)).body.state).toBe('published')
  }
  const versions: string[] = []
  for (const text of ['Terms, again', 'Terms, once more']) {
    await renew(text)
    const { due } = await state()
    expect(due).toMatchObject([{ document: 'terms' }])
    versions.push(due[0]!.version)
    await accept()
    expect((await state()).due).toEqual([])
  }
  expect(new Set([...versions, brand.legal.terms]).size).toBe(3)
  // What members accepted stays readable: each version with its text.
  const { body: texts } = await one.call(api.listContentVersions, { query: { piece: 'messages/legal' } })
  expect(texts.map((each) => each.legal?.terms)).toEqual([...versions.toReversed(), brand.legal.terms])
  const [first, second] = versions as [string, string]
  expect(second).toBe(`${first.slice(0, 10)}.${Number(first.slice(11) || 1) + 1}`)
  expect(services.content.brand().legal).toEqual({ ...brand.legal, terms: second })
  // Correcting a typo does not ask members to accept again.
  await one.save('messages/legal', { [`en.${legalKey}`]: 'Terms, once more.' })
  const { body } = await one.publish(['messages/legal'])
  await confirm(two, body.id)
  expect((await state()).due).toEqual([])
})

test('only a legal text can have a new version', async () => {
  await one.save('messages/home', { [`en.${key}`]: 'Not legal.' })
  const { problem } = await one.publish(['messages/home'], { newVersions: ['privacy'] })
  expect(problem.errors).toMatchObject([{ path: 'newVersions' }])
})

test('rejects a release of a scheduled item before asking for step-up', async () => {
  const { body } = await scheduleLink(one, '+1 555 0124')
  expect((await confirm(two, body.id)).body.state).toBe('scheduled')
  await letProofAge(started, one.editor)
  expect((await one.publish(['brand.json'])).problem.code).toBe('content_waits')
  await cancel(one, body.id)
  await requestStepUp(one)
})
