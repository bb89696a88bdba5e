import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import legal from '#content/messages/en/legal.json' with { type: 'json' }
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { inTime } from '#tests/newsroom.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ CONTENT_TWO_PERSONS: 'legal' }, afterAll)
const { db } = started.services
const [one, two, reader] = [
  await aContentDesk(started),
  await aContentDesk(started),
  await aContentDesk(started, 1),
]
await updateMemberRow(db, two.editor.id, { language: 'cn' })
const place = `en.${Object.keys(legal)[0]!}`
let n = 0

const propose = async (by = one) => {
  await by.save('messages/legal', { [place]: `Of our terms, ${(n += 1)}` })
  const { body } = await by.publish(['messages/legal'])
  expect(body.state).toBe('proposed')
  return body.id
}
const decide = (by: typeof one, id: string) =>
  by.call(api.confirmContentRelease, { params: { id }, body: {} })
const decline = (by: typeof one, id: string, reason = '') =>
  by.call(api.cancelContentRelease, { params: { id }, body: { reason } })
/** Since the last check. */
const seen = new Map<string, number>()
const newMails = async ({ editor }: Pick<typeof one, 'editor'>) => {
  const mails = (await started.mailsTo(editor.email)).filter(({ kind }) => kind.startsWith('content-'))
  const before = seen.get(editor.id) ?? 0
  seen.set(editor.id, mails.length)
  return mails.slice(before)
}

test('notifies possible approvers in their language, but neither the author nor readers', async () => {
  const closed = await aContentDesk(started)
  await updateMemberRow(db, closed.editor.id, { active: false })
  const short = await aContentDesk(started)
  await updateMemberRow(db, short.editor.id, { password_length_ok_for_staff: false })
  const member = { editor: await aSignedInMember(started) }
  const id = await propose()
  const [mail, ...more] = await newMails(two)
  expect([mail?.kind, more]).toEqual(['content-proposed', []])
  expect(mail!.text).toContain('使用条款与隐私说明')
  expect(mail!.text).toContain('/console/content')
  expect(mail!.text).toContain(one.editor.email.split('@')[0]!)
  for (const other of [one, reader, closed, short, member]) expect(await newMails(other)).toEqual([])
  expect((await decide(two, id)).status).toBe(200)
})

test('notifies the author of an approval or a decline with its reason, but no one of their own action', async () => {
  await newMails(one)
  expect((await decide(two, await propose())).status).toBe(200)
  expect(await newMails(one)).toMatchObject([{ kind: 'content-confirmed' }])
  await newMails(two)
  expect((await decline(two, await propose(), 'Ask a lawyer first.')).status).toBe(200)
  const [declined] = await newMails(one)
  expect(declined!.kind).toBe('content-declined')
  expect(declined!.text).toContain('Ask a lawyer first.')
  expect(declined!.text).toContain('Terms of use and privacy notice')
  expect(await newMails(two)).toMatchObject([{ kind: 'content-proposed' }])
  expect((await decline(one, await propose())).body.state).toBe('cancelled')
  expect(await newMails(one)).toEqual([])
})

test('notifies no author who is no longer an editor or has left', async () => {
  const third = await aContentDesk(started)
  const id = await propose(third)
  await updateMemberRow(db, third.editor.id, { manage_news: 0 })
  expect((await decline(two, id, 'They left.')).status).toBe(200)
  expect(await newMails(third)).toEqual([])
})

test('notifies of an approval for a later time, and not of a superseded proposal', async () => {
  await newMails(one)
  const { version } = await one.save('messages/legal', { [place]: 'For later.' })
  const pieces = [{ piece: 'messages/legal', version }]
  const { body } = await one.call(api.scheduleContent, { body: { pieces, ...inTime(HOUR) } })
  expect((await decide(two, body.id)).body.state).toBe('scheduled')
  expect(await newMails(one)).toMatchObject([{ kind: 'content-confirmed' }])
  expect((await one.call(api.cancelContentRelease, { params: { id: body.id }, body: {} })).status).toBe(200)
  expect(await newMails(one)).toEqual([])
})

test('a proposal that no one approves within a week expires, and its author is notified', async () => {
  const id = await propose()
  await newMails(one)
  await sql`update content_release set proposed_at = now() - interval '8 days' where id = ${id}`.execute(db)
  await cleanUp(started.services)
  expect(await newMails(one)).toMatchObject([{ kind: 'content-lapsed' }])
  expect((await decide(two, id)).problem.code).toBe('conflict')
})

test('repeated proposals do not flood a mailbox', { tags: ['nightly'] }, async () => {
  const fourth = await aContentDesk(started)
  await newMails(two)
  for (let at = 0; at < 21; at += 1) await propose(fourth)
  expect(await newMails(two)).toHaveLength(20)
})
