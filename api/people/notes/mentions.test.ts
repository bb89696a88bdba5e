import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { sendDigests } from '#api/console/home/send-digests.ts'
import { ambassadorDesk } from '#tests/ambassador-desk.ts'
import { aMention, aNote, anApplication, anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const both = { manage_employee: 2, manage_finance: 2 } as const
const clerk = await aSignedInMember(started, { ...both, display_name: 'Clerk' })
const { anApplication: anAmbassadorApplication } = ambassadorDesk(started, clerk)

const listed = async (by: TestMember, query: { seen?: 'yes' | 'no' } = {}) =>
  (await call(api.listMentions, { query }, as(by))).body
const unseen = async (by: TestMember) =>
  (await call(api.listNeedsAttention, {}, as(by))).body.find(({ what }) => what === 'mentions')?.count

/** Each kind of record: how to create one, note something, and open it; and who can't read it. */
const kinds = [
  {
    kind: 'member',
    of: async (member: TestMember) => member.id,
    add: api.addMemberNote,
    readers: api.listMemberReaders,
    open: api.getConsoleMember,
    may: { manage_employee: 1 },
    mayNot: { manage_finance: 2 },
  },
  {
    kind: 'order',
    of: async (member: TestMember) => (await anOrder(started, member.id)).id,
    add: api.addOrderNote,
    readers: api.listOrderReaders,
    open: api.getConsoleOrder,
    may: { manage_finance: 1 },
    // Administrators have no access to orders.
    mayNot: { is_write_access_admin: true },
  },
  {
    kind: 'kyc',
    of: async (member: TestMember) => (await anApplication(started, member))._id,
    add: api.addKycCaseNote,
    readers: api.listKycCaseReaders,
    open: api.getKycCase,
    may: { manage_finance: 1 },
    mayNot: { is_write_access_admin: true },
  },
  {
    kind: 'ambassador-application',
    of: (member: TestMember) => anAmbassadorApplication('en', member.email),
    add: api.addApplicationNote,
    readers: api.listApplicationReaders,
    open: api.getAmbassadorApplication,
    may: { manage_employee: 1 },
    mayNot: { manage_finance: 2 },
  },
] as const
type Kind = (typeof kinds)[number]

const note = ({ add }: Kind, id: string, mentions: string[]) =>
  call(add, { params: { id }, body: { text: '@Reader please call.', mentions } }, as(clerk))

test.each(kinds)('a colleague mentioned in a note about a $kind sees it until they open it', async (each) => {
  const reader = await aSignedInMember(started, { ...each.may, display_name: 'Reader' })
  const id = await each.of(await aSignedInMember(started))
  expect(await unseen(reader)).toBe(0)
  expect((await note(each, id, [reader.id, reader.id])).status).toBe(200)
  expect(await unseen(reader)).toBe(1)
  const [mention] = await listed(reader, { seen: 'no' })
  expect(mention).toMatchObject({
    about: each.kind,
    of: id,
    text: '@Reader please call.',
    by: 'Clerk',
    seenAt: null,
  })
  expect(mention!.name).not.toBe('')
  expect((await call(each.open, { params: { id } }, as(reader))).status).toBe(200)
  expect(await unseen(reader)).toBe(0)
  expect(await listed(reader, { seen: 'no' })).toEqual([])
  expect(await listed(reader, { seen: 'yes' })).toMatchObject([{ seenAt: expect.any(String) }])
})

test.each(kinds)('only colleagues who can read a $kind are offered and can be mentioned', async (each) => {
  const reader = await aSignedInMember(started, { ...each.may, display_name: 'Reader' })
  const outsider = await aSignedInMember(started, each.mayNot)
  const inactive = await aSignedInMember(started, { ...each.may, active: false })
  const subject = await aSignedInMember(started, both)
  const id = await each.of(subject)
  const offered = (await call(each.readers, { params: { id } }, as(clerk))).body
  expect(offered).toContainEqual({ id: reader.id, name: 'Reader' })
  for (const refused of [outsider, inactive, subject, clerk]) {
    expect(offered.map((one) => one.id)).not.toContain(refused.id)
    const { problem } = await note(each, id, [reader.id, refused.id])
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'mentions' }] })
  }
  // A refused note is not written at all.
  expect(await listed(reader)).toEqual([])
})

async function aMentionFor(reader: TestMember): Promise<string> {
  const { id } = await aSignedInMember(started)
  return aMention(started, await aNote(started, clerk.id, { kind: 'member', id }), reader.id)
}

test('a mention is marked as read by its reader only', async () => {
  const [reader, other] = [
    await aSignedInMember(started, { manage_employee: 1 }),
    await aSignedInMember(started, { manage_employee: 1 }),
  ]
  const id = await aMentionFor(reader)
  const mark = (by: TestMember) => call(api.markMentionSeen, { params: { id }, body: null }, as(by))
  expect((await mark(other)).problem.code).toBe('not_found')
  expect((await mark(reader)).body).toEqual({ seen: true })
  const [first] = await listed(reader)
  await mark(reader)
  expect(await listed(reader)).toEqual([first])
  expect(await unseen(reader)).toBe(0)
})

test('a colleague who lost the right sees no mention, and an erased one has none', async () => {
  const reader = await aSignedInMember(started, { manage_employee: 1, manage_news: 1 })
  await aMentionFor(reader)
  await db.updateTable('member').set({ manage_employee: 0 }).where('id', '=', reader.id).execute()
  expect(await listed(reader)).toEqual([])
  expect(await unseen(reader)).toBe(0)
  await call(api.eraseMember, { body: { current: reader.password } }, as(reader))
  const left = await db.selectFrom('staff_mention').select('id').where('member_id', '=', reader.id).execute()
  expect(left).toEqual([])
})

test('the daily email counts mentions, and no other email is sent', async () => {
  const reader = await aSignedInMember(started, { manage_employee: 1 })
  await aMentionFor(reader)
  await call(
    api.saveNotificationSettings,
    { body: { muted: ['lost_factors', 'ambassadors', 'mails_failed'], hasDigest: true } },
    as(reader),
  )
  const before = (await started.mailsTo(reader.email)).length
  await db
    .updateTable('staff_notification')
    .set({ digest_sent_on: new Date(Date.now() - 2 * DAY) })
    .where('member_id', '=', reader.id)
    .execute()
  await sendDigests(services)
  const sent = (await started.mailsTo(reader.email)).slice(before)
  expect(sent).toMatchObject([{ kind: 'staff-digest' }])
  expect(sent[0]!.text).toContain('Mentions of you: 1')
})
