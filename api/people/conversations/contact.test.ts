import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aContact, deskOf } from '#tests/conversations.ts'
import { startApi } from '#tests/setup/start-api.ts'

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
