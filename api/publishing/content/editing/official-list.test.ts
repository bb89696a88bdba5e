import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aContentDesk, type ContentDesk } from '#tests/content-desk.ts'
import { inTime } from '#tests/newsroom.ts'
import { ownBrand } from '#tests/own-brand.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { publishDueContent } from './content-worker.ts'

// Other content needs only one person here, but the official list still needs its own right.
const started = await startApi({ CONTENT_TWO_PERSONS: 'none' }, afterAll)
const { services, mailsTo } = started
const { db } = services
const editor = await aContentDesk(started, 2, { manage_coins: 0 })
const keeper = await aContentDesk(started)
const admin = await aSignedInMember(started, { is_write_access_admin: true })

const official = async () =>
  JSON.stringify((await started.call(api.listOfficialSources, {}, { token: admin.token })).body)
const withParts = async (parts: object) => ({
  '': { ...((await editor.read('brand.json')).published as object), ...parts },
})
const publish = async (by: ContentDesk, parts: object) => {
  await by.save('brand.json', await withParts(parts))
  return by.publish(['brand.json'])
}
const confirm = (by: ContentDesk, id: string) =>
  by.call(api.confirmContentRelease, { params: { id }, body: {} })
const cancel = (by: ContentDesk, id: string) =>
  by.call(api.cancelContentRelease, { params: { id }, body: { reason: 'Not ours.' } })
const makeDue = (id: string) =>
  db
    .updateTable('content_release')
    .set({ publish_at: sql<Date>`now() - interval '1 second'`, state: 'scheduled' })
    .where('id', '=', id)
    .execute()

test.each([
  ['a link', { links: { ...ownBrand.links, exchange: 'https://evil.example' } }, 'evil.example'],
  ['a network', { social: { ...ownBrand.social, discord: 'https://discord.gg/evil' } }, 'discord.gg/evil'],
  ['the email address', { email: 'help@evil.example' }, 'help@evil.example'],
  ['the phone number', { phone: '+1 555 0666' }, '0666'],
])(
  'an editor only proposes %s that is official, and no other editor can approve it',
  async (_, parts, value) => {
    const other = await aContentDesk(started, 2, { manage_coins: 1 })
    const { body } = await publish(editor, parts)
    expect(body).toMatchObject({ state: 'proposed', changesOfficial: true, mayConfirm: false })
    const seenBy = async (desk: ContentDesk) =>
      (await desk.call(api.listContentReleases, {})).body.find(({ id }) => id === body.id)?.mayConfirm
    expect([await seenBy(other), await seenBy(keeper)]).toEqual([false, true])
    expect((await confirm(other, body.id)).problem.code).toBe('forbidden')
    expect(await official()).not.toContain(value)
    expect((await mailsTo(other.editor.email)).map(({ kind }) => kind)).not.toContain('content-proposed')
    expect((await mailsTo(keeper.editor.email)).at(-1)!.kind).toBe('content-proposed')
    expect((await confirm(keeper, body.id)).body.state).toBe('published')
    expect(await official()).toContain(value)
    const mail = (await mailsTo(admin.email)).at(-1)!
    expect(mail.kind).toBe('official-changed')
  },
)

test('with the sale right and step-up, it is published at once and administrators are emailed', async () => {
  await letProofAge(started, keeper.editor)
  expect((await publish(keeper, { phone: '+1 555 0700' })).problem.code).toBe('step_up_required')
  await sql`update session set proved_at = now() where member_id = ${keeper.editor.id}`.execute(db)
  const before = (await mailsTo(admin.email)).length
  expect((await publish(keeper, { phone: '+1 555 0700' })).body.state).toBe('published')
  const mails = (await mailsTo(admin.email)).slice(before)
  expect(mails.map(({ kind }) => kind)).toEqual(['official-changed'])
  expect(mails[0]!.text).toContain('phone: +1 555 0666 → +1 555 0700')
})

test('one editor publishes other parts of the brand, without an email about the official list', async () => {
  const before = (await mailsTo(admin.email)).length
  const { body } = await publish(editor, { tagline: { en: 'Other words.', cn: '另一句话。' } })
  expect(body).toMatchObject({ state: 'published', changesOfficial: false })
  expect((await mailsTo(admin.email)).slice(before)).toEqual([])
})

test('an editor can neither restore an older version nor publish someone else’s draft of it', async () => {
  const versions = (await editor.call(api.listContentVersions, { query: { piece: 'brand.json' } })).body
  const old = versions.find(({ changes }) => changes.some(({ to }) => to === 'help@evil.example'))!
  const { version } = await editor.read('brand.json')
  await editor.call(api.restoreContentVersion, { params: { id: old.id }, body: { version } })
  const restored = (await editor.publish(['brand.json'])).body
  expect(restored.state).toBe('proposed')
  await cancel(keeper, restored.id)
  await keeper.save('brand.json', await withParts({ phone: '+1 555 0800' }))
  expect((await editor.publish(['brand.json'])).body.state).toBe('proposed')
  expect(await official()).toContain('+1 555 0700')
})

test('does not publish a due release that no one with the right scheduled', async () => {
  const { version } = await editor.save('brand.json', await withParts({ phone: '+1 555 0900' }))
  const pieces = [{ piece: 'brand.json', version }]
  const scheduled = await editor.call(api.scheduleContent, { body: { pieces, ...inTime(HOUR) } })
  expect(scheduled.body.state).toBe('proposed')
  // Simulates a release scheduled before this right was required.
  await makeDue(scheduled.body.id)
  await publishDueContent(services)
  const [ended] = (await editor.call(api.listContentReleases, { query: { state: 'dropped' } })).body
  expect(ended).toMatchObject({ id: scheduled.body.id, state: 'failed', ended: { cause: 'official' } })
  expect(await official()).not.toContain('+1 555 0900')
})

test('the scheduler must still have the right when it is due', async () => {
  const leaving = await aContentDesk(started)
  const { version } = await leaving.save('brand.json', await withParts({ phone: '+1 555 0901' }))
  const pieces = [{ piece: 'brand.json', version }]
  const { body } = await leaving.call(api.scheduleContent, { body: { pieces, ...inTime(HOUR) } })
  expect(body.state).toBe('scheduled')
  await updateMemberRow(db, leaving.editor.id, { manage_coins: 1 })
  await makeDue(body.id)
  await publishDueContent(services)
  expect(await official()).not.toContain('+1 555 0901')
})
