import { afterAll, expect, test } from 'vitest'
import brand from '#content/brand.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { saveAppProfile } from './app.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const keeper = await aSignedInMember(started, { manage_coins: 2 })
const as = { token: keeper.token }
const read = async () => (await call(api.getAppRecord, {}, as)).body
const given = async () => {
  const { isEdited: _, lastUpdated: __, ...record } = await read()
  return record
}
const save = async (fields: object) =>
  call(api.updateAppRecord, { body: { ...(await given()), ...fields } }, as)
const find = async (fullName: string) => (await call(api.findApp, { body: { fullName } })).body

test('apps/findOne returns the profile as edited by staff, even after a restart or with another ID', async () => {
  expect(await read()).toMatchObject({ name: brand.name, isEdited: false })
  const docs = [{ name: 'Terms of the sale', type: 'pdf', url: 'https://example.org/terms.pdf' }]
  const { status, body } = await save({ fullName: 'Sample Coin', coins: [{ symbol: 'SMP' }], docs })
  expect(status).toBe(200)
  expect(body).toMatchObject({ fullName: 'Sample Coin', isEdited: true })
  expect(await find('Sample Coin')).toMatchObject({ coins: [{ symbol: 'SMP' }], docs })
  const { config, db } = services
  const ofContent = { _id: config.appId, name: 'x', fullName: 'x', coins: [], docs: [], contact: 'x' }
  await saveAppProfile(db, ofContent)
  expect((await find('Sample Coin')).contact).toBe(brand.email)
  await saveAppProfile(db, { ...ofContent, _id: 'c'.repeat(24) })
  expect((await find('Sample Coin'))._id).toBe('c'.repeat(24))
  await saveAppProfile(db, ofContent)
  expect(await read()).toMatchObject({ fullName: 'Sample Coin' })
})

test('rejects an edit of an outdated profile; a change is in the history and can be undone', async () => {
  const before = await read()
  await save({ contact: 'new@example.org' })
  const stale = await save({ contact: 'other@example.org', lastUpdated: before.lastUpdated })
  expect(stale).toMatchObject({ status: 409, problem: { code: 'conflict' } })
  const list = async () => (await call(api.listSettingVersions, { query: { subject: 'app' } }, as)).body
  const [newest, older] = await list()
  expect(newest!.changes).toEqual([{ path: 'contact', from: before.contact, to: 'new@example.org' }])
  const body = { lastUpdated: (await read()).lastUpdated }
  const back = await call(api.restoreSettingVersion, { params: { id: older!.id }, body }, as)
  expect(back.status).toBe(200)
  expect((await read()).contact).toBe(before.contact)
  expect((await list())[0]).toMatchObject({ restoredId: older!.id })
  const entry = await services.db
    .selectFrom('audit_entry')
    .select(['detail', 'actor_id'])
    .where('action', '=', 'app-updated')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({ actor_id: keeper.id, detail: { fields: ['contact'] } })
})

test('a new email address or document is official, so administrators and sale managers are emailed', async () => {
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const docs = [{ name: 'Claim', type: 'pdf', url: 'https://evil.example/claim' }]
  const { contact } = await given()
  expect((await save({ contact: 'pay@evil.example', docs })).status).toBe(200)
  expect((await save({ name: 'Other words' })).status).toBe(200)
  for (const { email } of [admin, keeper]) {
    const mail = (await started.mailsTo(email)).at(-1)!
    expect(mail.kind).toBe('official-changed')
    // Emails contain no links that the sender didn't write.
    const text = mail.text.replaceAll(' ', '')
    expect(text).toContain(keeper.email)
    for (const value of [contact, 'pay@evil.example', 'Claim:https://evil.example/claim'])
      expect(text).toContain(value)
  }
  expect((await started.mailsTo(admin.email)).map(({ kind }) => kind)).toEqual(['official-changed'])
  // Restoring an earlier version changes the list as well.
  const { body: versions } = await call(api.listSettingVersions, { query: { subject: 'app' } }, as)
  const older = versions.find(({ changes }) => changes.some(({ path }) => path === 'docs'))!
  await save({ docs: [], contact })
  expect((await started.mailsTo(admin.email)).length).toBe(2)
  const body = { lastUpdated: (await read()).lastUpdated }
  expect((await call(api.restoreSettingVersion, { params: { id: older.id }, body }, as)).status).toBe(200)
  expect((await started.mailsTo(admin.email)).length).toBe(3)
})

test('changing what is official needs step-up authentication', async () => {
  await letProofAge(started, keeper)
  expect((await save({ contact: 'other@evil.example' })).problem.code).toBe('step_up_required')
})

test.each([
  [{ name: ' ' }, 'name'],
  [{ coins: [] }, 'coins'],
  [{ docs: [{ name: 'x', type: 'pdf', url: 'javascript:alert(1)' }] }, 'docs.0.url'],
  [{ docs: [{ name: 'x', type: 'pdf', url: '/relative.pdf' }] }, 'docs.0.url'],
])('a record that misleads its readers is refused by its field (%#)', async (fields, path) => {
  const before = await read()
  expect((await save(fields)).problem.errors).toMatchObject([{ path }])
  expect(await read()).toEqual(before)
})

test('rejects a duplicate coin and the name of another app as existing entries', async () => {
  const other = { id: 'd'.repeat(24), name: 'Other', full_name: 'Other Coin' }
  await services.db.insertInto('app').values(other).execute()
  const coins = [{ symbol: 'A' }, { symbol: 'A' }]
  expect((await save({ coins })).problem.errors).toMatchObject([
    { path: 'coins.1.symbol', code: 'already_listed' },
  ])
  const renamed = await save({ fullName: other.full_name })
  expect(renamed.problem.errors).toMatchObject([{ path: 'fullName', code: 'already_listed' }])
})
