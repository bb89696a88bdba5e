import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { answerLinkDays } from '#contract/people/conversations.ts'
import { DAY } from '#contract/platform/durations.ts'
import { anEmail, aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aContact, deskOf } from '#tests/conversations.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { apiBase } from '../../app.ts'
import { postInProcess } from '../../platform/http/post-in-process.ts'
import { contactInProcess } from './contact-in-process.ts'

const support = { manage_employee: 2 }

test('staff see a visitor’s message once the address is confirmed, and answer by email', async () => {
  const started = await startApi()
  const email = anEmail()
  const desk = deskOf(started, await aSignedInMember(started, support))
  const sent = await started.call(api.contactStaff, { body: { email, name: 'Ada', text: 'Is this real?' } })
  expect(sent).toMatchObject({ status: 202, body: { sent: true } })
  expect((await desk.list()).body).toEqual([])

  const [{ text } = { text: '' }] = await started.mailsTo(email)
  const code = /contact\?code=([\w-]+)/.exec(text)![1]!
  const confirm = (given: string) => started.call(api.confirmContact, { body: { code: given } })
  expect((await confirm('wrong')).problem?.code).toBe('code_invalid')
  expect((await confirm(code)).body).toEqual({ confirmed: true })
  expect((await confirm(code)).body).toEqual({ confirmed: true })
  const { body } = await desk.list()
  expect(body).toMatchObject([{ about: 'visitor', email, name: 'Ada', memberId: null, status: 'open' }])

  await desk.answer(body[0]!.id, body[0]!.updatedAt, 'Yes, it is.\nSee /official.')
  const answer = (await started.mailsTo(email)).at(-1)!
  expect(answer.text).toContain('Yes, it is.\nSee /official.')
})

/** Answers as staff, and returns the code of the link in the email. */
async function mailedLink(
  started: TestApi,
  desk: ReturnType<typeof deskOf>,
  contact: { id: string; email: string },
) {
  const { updatedAt } = (await desk.get(contact.id)).body
  await desk.answer(contact.id, updatedAt, `Answer of ${updatedAt}`)
  return /contact\?answer=([\w-]+)/.exec((await started.mailsTo(contact.email)).at(-1)!.text)![1]!
}

const writeBack = (started: TestApi, code: string, text = 'One more question.', ip = '192.0.2.1') =>
  started.call(api.continueContact, { body: { code, text } }, { ip })

test('a visitor continues the same conversation with any link that has not expired', async () => {
  const started = await startApi()
  const { db } = started.services
  const desk = deskOf(started, await aSignedInMember(started, support))
  const contact = await aContact(started)
  const first = await mailedLink(started, desk, contact)
  expect((await desk.get(contact.id)).body).toMatchObject({ status: 'waiting', hasAnswerLink: true })
  const answered = await writeBack(started, first)
  expect([answered.status, answered.body]).toEqual([200, { sent: true }])
  // A repeated request sends the message once.
  expect((await writeBack(started, first)).status).toBe(200)
  const { body } = await desk.get(contact.id)
  expect(body.status).toBe('open')
  expect(body.messages.map(({ isFromStaff }) => isFromStaff)).toEqual([false, true, false])
  expect(await db.selectFrom('conversation').select('id').execute()).toEqual([{ id: contact.id }])

  const second = await mailedLink(started, desk, contact)
  expect((await writeBack(started, first, 'With the first link.')).status).toBe(200)
  expect((await writeBack(started, second, 'With the second link.')).status).toBe(200)
  const stored = await db.selectFrom('conversation_answer_link').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(first)
  expect(JSON.stringify(stored)).not.toContain(second)

  const past = new Date(Date.now() - answerLinkDays * DAY)
  await db.updateTable('conversation_answer_link').set({ created_at: past }).execute()
  expect((await writeBack(started, first, 'Too late.')).problem?.code).toBe('answer_link_invalid')
  expect((await writeBack(started, 'wrong', 'Guessed.')).problem?.code).toBe('answer_link_invalid')
  expect((await desk.get(contact.id)).body).toMatchObject({ hasAnswerLink: false })
  expect((await desk.get(contact.id)).body.messages.at(-1)!.text).toBe('With the second link.')
})

test('a visitor who answers while staff close the conversation reopens it, and staff see the answer', async () => {
  const started = await startApi()
  const { token } = await aSignedInMember(started, support)
  const desk = deskOf(started, { token })
  const contact = await aContact(started)
  const code = await mailedLink(started, desk, contact)
  const close = (updatedAt: string) =>
    started.call(api.closeConversation, { params: { id: contact.id }, body: { updatedAt } }, { token })
  const { updatedAt } = (await desk.get(contact.id)).body
  const [closed, answered] = await Promise.all([close(updatedAt), writeBack(started, code)])
  expect(answered.status).toBe(200)
  expect([200, 409]).toContain(closed.status)
  const { body } = await desk.get(contact.id)
  expect(body).toMatchObject({ status: 'open' })
  expect(body.messages.at(-1)!.text).toBe('One more question.')
  // What staff saw before the answer is outdated.
  expect((await close(updatedAt)).problem?.code).toBe('conflict')
  expect((await desk.answer(contact.id, updatedAt)).problem?.code).toBe('conflict')
})

test('staff revoke the links of a conversation, and the next answer contains a new one', async () => {
  const started = await startApi()
  const staff = await aSignedInMember(started, support)
  const desk = deskOf(started, staff)
  const [contact, other] = [await aContact(started), await aContact(started)]
  const code = await mailedLink(started, desk, contact)
  const ofOther = await mailedLink(started, desk, other)
  const revoke = async (updatedAt: string) =>
    started.call(
      api.revokeAnswerLinks,
      { params: { id: contact.id }, body: { updatedAt } },
      { token: staff.token },
    )
  expect((await revoke(contact.updatedAt)).problem?.code).toBe('conflict')
  const revoked = await revoke((await desk.get(contact.id)).body.updatedAt)
  expect(revoked.body).toMatchObject({ hasAnswerLink: false, status: 'waiting' })
  expect((await writeBack(started, code)).problem?.code).toBe('answer_link_invalid')
  expect((await writeBack(started, ofOther)).status).toBe(200)
  expect((await writeBack(started, await mailedLink(started, desk, contact))).status).toBe(200)
  const entries = await started.services.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'subject_id'])
    .where('action', '=', 'conversation-links-revoked')
    .execute()
  expect(entries).toEqual([{ actor_id: staff.id, subject_id: contact.id }])
})

test('limits how often a visitor continues a conversation, and how often anyone tries codes', async () => {
  const started = await startApi()
  const desk = deskOf(started, await aSignedInMember(started, support))
  const code = await mailedLink(started, desk, await aContact(started))
  const statuses: number[] = []
  // From several clients, because each one must soon complete a proof of work.
  for (let at = 0; at < 21; at += 1)
    statuses.push((await writeBack(started, code, `Message ${at}`, `192.0.2.${at + 10}`)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
  const guesses: string[] = []
  for (let at = 0; at < 11; at += 1) guesses.push((await writeBack(started, `guess-${at}`)).problem.code)
  expect(guesses[0]).toBe('answer_link_invalid')
  expect(guesses.at(-1)).toBe('work_required')
})

test('without JavaScript, the link opens the form for an answer, which keeps the text after an error', async () => {
  const started = await startApi()
  const desk = deskOf(started, await aSignedInMember(started, support))
  const contact = await aContact(started)
  const answer = await mailedLink(started, desk, contact)
  const send = contactInProcess(postInProcess(started.app, apiBase, started.services.config.appId))
  const sender = { ip: '192.0.2.9', language: 'cn' as const }
  const given = { email: '', name: '', text: '' }
  expect(await send({ answer }, sender)).toEqual({
    posted: { problems: {}, given, linkCode: answer },
    status: 200,
  })
  const wrong = await send({ answer: 'wrong', text: 'Kept.' }, sender)
  expect(wrong).toMatchObject({ posted: { given: { text: 'Kept.' }, linkCode: 'wrong' }, status: 400 })
  expect(await send({ answer, text: ' ' }, sender)).toMatchObject({
    posted: { problems: { text: expect.any(String) as unknown }, linkCode: answer },
    status: 400,
  })
  expect(await send({ answer, text: 'Thank you.' }, sender)).toEqual({
    posted: { done: 'answered' },
    status: 200,
  })
  expect((await desk.get(contact.id)).body.messages.at(-1)!.text).toBe('Thank you.')
})

test('an answer to a visitor takes no attachments', async () => {
  const started = await startApi()
  const { token } = await aSignedInMember(started, support)
  const { id, updatedAt } = await aContact(started)
  const { problem } = await started.call(
    api.answerConversation,
    {
      params: { id },
      body: { text: 'Hello', updatedAt, attachments: ['data:application/pdf;base64,JVBERi0xLjcK'] },
    },
    { token },
  )
  expect(problem.status).toBe(400)
})

test('nobody answers their own message from the contact form', async () => {
  const started = await startApi()
  const staff = await aSignedInMember(started, support)
  const { id, updatedAt } = await aContact(started, { email: staff.email })
  const desk = deskOf(started, staff)
  expect((await desk.list()).body).toEqual([])
  expect((await desk.answer(id, updatedAt)).problem?.code).toBe('not_found')
})

test('a message for which no email can be sent is refused', async () => {
  const started = await startApi()
  const email = anEmail()
  const statuses: number[] = []
  for (let at = 0; at < 5; at += 1)
    statuses.push((await started.call(api.contactStaff, { body: { email, text: 'Hello' } })).status)
  expect(statuses.filter((status) => status === 202)).toHaveLength(3)
  expect(statuses.at(-1)).toBe(429)
  const stored = await started.services.db.selectFrom('conversation').select('id').execute()
  expect(stored).toHaveLength(3)
})

test('deletes unconfirmed messages after a week, and others after the retention period', async () => {
  const started = await startApi({ CONTACT_DAYS: '30' })
  const { db } = started.services
  const unproved = await aContact(started, { isProved: false })
  const proved = await aContact(started)
  const age = (days: number) => {
    const at = new Date(Date.now() - days * 86_400_000)
    return db.updateTable('conversation').set({ created_at: at, message_at: at }).execute()
  }
  const left = async () => (await db.selectFrom('conversation').select('id').execute()).map(({ id }) => id)
  await age(6)
  await cleanUp(started.services)
  expect(await left()).toHaveLength(2)
  await age(8)
  const late = await started.call(api.confirmContact, { body: { code: unproved.code } })
  expect(late.problem?.code).toBe('code_invalid')
  await cleanUp(started.services)
  expect(await left()).toEqual([proved.id])
  await age(31)
  await cleanUp(started.services)
  expect(await left()).toEqual([])
})

test('a member’s export and erasure include messages sent from their address', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  await aContact(started, { email: member.email })
  await aContact(started)
  const { body } = await started.call(api.exportMember, { query: {} }, { token: member.token })
  expect(body['conversations']).toMatchObject([{ about: 'visitor', email: member.email }])
  await started.call(api.eraseMember, { body: { current: member.password } }, { token: member.token })
  expect(await started.services.db.selectFrom('conversation').select('id').execute()).toHaveLength(1)
})
