import { shownReference } from '#api/platform/text/order-reference.ts'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { attachmentsMax } from '#contract/people/conversations.ts'
import { asPdfUrl, aPdf } from '#tests/a-pdf.ts'
import { anApplication, anOrder, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aConversation, deskOf } from '#tests/conversations.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const finance = { manage_finance: 2 }
const support = { manage_employee: 2 }

type Given = { about?: 'order' | 'identity' | 'account'; of?: string; text?: string; attachments?: string[] }

const send = (
  { call }: TestApi,
  { token }: Pick<TestMember, 'token'>,
  { about = 'account', text = 'Hello', ...rest }: Given = {},
  idempotencyKey?: string,
) =>
  call(
    api.sendMessage,
    { body: { about, text, ...rest } },
    { token, ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }) },
  )

const mailsTo = async (started: TestApi, { email }: Pick<TestMember, 'email'>) =>
  (await started.mailsTo(email)).filter(({ subject }) => subject.includes('new message'))

test('a member and staff talk about an order', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const desk = deskOf(started, await aSignedInMember(started, finance))
  const order = await anOrder(started, member.id)
  const reference = shownReference(order.reference)
  const sent = await send(started, member, { about: 'order', of: order.id, text: '  Did you get it?  ' })
  expect(sent).toMatchObject({
    status: 201,
    body: { about: 'order', of: order.id, reference, status: 'open', hasUnread: false },
  })
  const { body: open } = await desk.list({ status: 'open', q: reference.slice(0, 9).toLowerCase() })
  expect(open).toMatchObject([{ id: sent.body.id, reference, email: member.email, assignee: null }])

  const answered = await desk.answer(sent.body.id, open[0]!.updatedAt, 'Yes, today.')
  expect(answered).toMatchObject({ status: 200, body: { status: 'waiting' } })
  expect(answered.body.assignee).not.toBeNull()
  const { body: listed } = await started.call(api.listConversations, {}, { token: member.token })
  expect(listed).toMatchObject([{ id: sent.body.id, status: 'waiting', hasUnread: true }])
  await started.call(
    api.markConversationRead,
    { params: { id: sent.body.id }, body: null },
    { token: member.token },
  )
  const query = { about: 'order' as const, of: order.id }
  const { body } = await started.call(api.findConversation, { query }, { token: member.token })
  expect(body.conversation).toMatchObject({
    hasUnread: false,
    messages: [
      { isFromStaff: false, text: 'Did you get it?' },
      { isFromStaff: true, text: 'Yes, today.' },
    ],
  })
  // The member never learns which staff member wrote it.
  expect(JSON.stringify(body)).not.toContain('"by"')
})

test('orders, applications, and conversations of others don’t exist for a member', async () => {
  const started = await startApi()
  const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
  const { id: of } = await anOrder(started, other.id)
  const { _id } = await anApplication(started, other)
  for (const subject of [
    { about: 'order', of },
    { about: 'identity', of: _id },
    { about: 'order' },
  ] as const) {
    expect((await send(started, member, subject)).problem?.code).toBe('not_found')
    const found = await started.call(api.findConversation, { query: subject }, { token: member.token })
    expect(found.problem?.code).toBe('not_found')
  }
  const { id } = await aConversation(started, other)
  const read = await started.call(
    api.markConversationRead,
    { params: { id }, body: null },
    { token: member.token },
  )
  expect(read.problem?.code).toBe('not_found')
})

test('each level sees and answers its own area, and nobody their own conversation', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const subjects = ['order', 'identity', 'account'] as const
  const all = await Promise.all(subjects.map((about) => aConversation(started, member, about)))
  const seenBy = async (rights: object) => {
    const staff = await aSignedInMember(started, rights)
    const desk = deskOf(started, staff)
    const { body } = await desk.list()
    const answers = []
    for (const { id, updatedAt } of all) {
      const { status, problem } = await desk.answer(id, updatedAt)
      answers.push(status === 200 ? 200 : problem.code)
    }
    return { listed: body.map(({ about }) => about).toSorted(), answers }
  }
  expect(await seenBy({ manage_finance: 1 })).toEqual({
    listed: ['identity', 'order'],
    answers: ['forbidden', 'forbidden', 'forbidden'],
  })
  expect(await seenBy({ manage_employee: 1, manage_finance: 2 })).toEqual({
    listed: ['account', 'identity', 'order'],
    answers: [200, 200, 'forbidden'],
  })
  expect(await seenBy(support)).toEqual({ listed: ['account'], answers: ['not_found', 'not_found', 200] })

  const own = await aSignedInMember(started, { ...support, ...finance })
  const { id, updatedAt } = await aConversation(started, own, 'order')
  const desk = deskOf(started, own)
  expect((await desk.list({ of: own.id })).body).toEqual([])
  expect((await desk.get(id)).problem?.code).toBe('not_found')
  expect((await desk.answer(id, updatedAt)).problem?.code).toBe('not_found')
  const started_ = await started.call(
    api.startConversation,
    { body: { about: 'account', of: own.id, text: 'Hello' } },
    { token: own.token },
  )
  expect(started_.problem?.code).toBe('forbidden')
})

test('of two answers at once, the second is told that someone replied', async () => {
  const started = await startApi()
  const { id, updatedAt } = await aConversation(started, await aSignedInMember(started))
  const desks = [
    deskOf(started, await aSignedInMember(started, support)),
    deskOf(started, await aSignedInMember(started, support)),
  ]
  const outcomes = await Promise.all(desks.map((desk) => desk.answer(id, updatedAt)))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const { body } = await desks[0]!.get(id)
  expect(body.messages).toHaveLength(2)
})

test('a repeated request sends a message once, also with an attachment', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const message = { text: 'See the picture.', attachments: [await aPicture()] }
  const [first, second] = [
    await send(started, member, message, 'key-1'),
    await send(started, member, message, 'key-1'),
  ]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body.messages).toHaveLength(1)
  expect((await send(started, member, { text: 'Other' }, 'key-1')).problem?.code).toBe('idempotency_conflict')

  const staff = await aSignedInMember(started, support)
  const desk = deskOf(started, staff)
  const [{ id, updatedAt } = { id: '', updatedAt: '' }] = (await desk.list()).body
  await desk.answer(id, updatedAt, 'Thanks.', 'key-2')
  const again = await desk.answer(id, updatedAt, 'Thanks.', 'key-2')
  expect(again.status).toBe(200)
  expect(again.body.messages).toHaveLength(2)
  // The file of the repeated request is not left behind.
  expect(await started.services.files.list('messages')).toHaveLength(1)
})

test('a new message of the member reopens a closed conversation', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const staff = await aSignedInMember(started, support)
  const { id, updatedAt } = await aConversation(started, member)
  const close = (updatedAt: string) =>
    started.call(api.closeConversation, { params: { id }, body: { updatedAt } }, { token: staff.token })
  const closed = await close(updatedAt)
  expect(closed.body.status).toBe('closed')
  expect((await close(closed.body.updatedAt)).problem?.code).toBe('conflict')
  expect((await send(started, member)).body.status).toBe('open')
  expect((await deskOf(started, staff).list({ status: 'open' })).body).toHaveLength(1)
})

test('assigns a conversation to someone who can answer it, but not to the member that it is about', async () => {
  const started = await startApi({ STAFF_SECOND_FACTOR: 'optional' })
  const member = await aSignedInMember(started, { manage_employee: 2 })
  const staff = await aSignedInMember(started, support)
  const reader = await aSignedInMember(started, { manage_employee: 1 })
  const { id } = await aConversation(started, member)
  const desk = deskOf(started, staff)
  const assign = async (to: string | null) => {
    const { updatedAt } = (await desk.get(id)).body
    return started.call(
      api.assignConversation,
      { params: { id }, body: { to, updatedAt } },
      { token: staff.token },
    )
  }
  expect((await assign(staff.id)).body.assignee?.id).toBe(staff.id)
  expect((await assign(reader.id)).problem?.errors).toMatchObject([{ path: 'to', code: 'one_of' }])
  expect((await assign(member.id)).problem?.errors).toMatchObject([{ path: 'to', code: 'one_of' }])
  expect((await assign(null)).body.assignee).toBeNull()
})

test('emails the member once until the messages are read, without their content', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const desk = deskOf(started, await aSignedInMember(started, support))
  const { id } = await aConversation(started, member)
  const answer = async (text: string) => desk.answer(id, (await desk.get(id)).body.updatedAt, text)
  await answer('A secret.')
  await answer('Another secret.')
  const [mail, ...others] = await mailsTo(started, member)
  expect(others).toEqual([])
  expect(mail!.text).toContain('/account/messages')
  expect(mail!.text).not.toContain('secret')
  await started.call(api.markConversationRead, { params: { id }, body: null }, { token: member.token })
  await answer('The third.')
  expect(await mailsTo(started, member)).toHaveLength(2)
  await started.services.db
    .updateTable('conversation')
    .set({ mailed_at: new Date(Date.now() - 25 * 3_600_000) })
    .where('id', '=', id)
    .execute()
  await answer('The fourth.')
  expect(await mailsTo(started, member)).toHaveLength(3)
})

test('staff start a conversation once', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const staff = await aSignedInMember(started, finance)
  const { id: of } = await anOrder(started, member.id)
  const start = (about: 'order' | 'account', id = of) =>
    started.call(
      api.startConversation,
      { body: { about, of: id, text: 'Please send the transaction ID.' } },
      { token: staff.token },
    )
  const [first, second] = await Promise.all([start('order'), start('order')])
  expect([first.status, second.status].toSorted()).toEqual([201, 409])
  expect((await start('account', member.id)).problem?.code).toBe('forbidden')
  expect((await start('order', 'unknown')).problem?.code).toBe('not_found')
  expect(await mailsTo(started, member)).toHaveLength(1)
  const { body } = await started.call(api.listConversations, {}, { token: member.token })
  expect(body).toMatchObject([{ about: 'order', of, status: 'waiting', hasUnread: true }])
})

test('limits length, number of attachments, and messages', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const problemOf = async (given: Given) => {
    const { problem } = await send(started, member, given)
    return problem?.errors?.map(({ path, code }) => [path, code])
  }
  expect(await problemOf({ text: 'x'.repeat(4001) })).toEqual([['text', 'too_long']])
  expect(await problemOf({ text: ' ' })).toEqual([['text', 'required']])
  const many = Array.from({ length: attachmentsMax + 1 }, () => 'data:image/png;base64,AAAA')
  expect(await problemOf({ attachments: many })).toEqual([['attachments', 'too_many']])
  expect(await problemOf({ attachments: ['hello'] })).toEqual([['attachments.0', 'attachment']])
  const { id: of } = await anOrder(started, member.id)
  const statuses: number[] = []
  for (let at = 0; at < 21; at += 1)
    statuses.push((await send(started, member, { about: 'order', of })).status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
  // Another conversation has its own limit.
  expect((await send(started, member)).status).toBe(201)
})

test('re-encodes pictures, checks PDFs, and stores both encrypted', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const pdf = aPdf()
  const { body } = await send(started, member, { attachments: [await aPicture('png'), asPdfUrl(pdf)] })
  const attachments = body.messages[0]!.attachments
  expect(attachments).toMatchObject([{ kind: 'picture' }, { kind: 'pdf', bytes: pdf.length }])
  const open = async (id: string) =>
    (await started.call(api.getAttachment, { params: { id } }, { token: member.token })).body as Buffer
  expect((await open(attachments[0]!.id)).subarray(0, 3).toString('hex')).toBe('ffd8ff')
  expect(await open(attachments[1]!.id)).toEqual(pdf)
  for (const key of await started.services.files.list('messages'))
    expect((await started.services.files.get(key))!.includes('%PDF')).toBe(false)
  const active = aPdf({ extra: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>' })
  for (const [file, code] of [
    [asPdfUrl(active), 'document_active'],
    ['data:application/pdf;base64,JVBERi0xLjcK', 'document'],
    ['data:text/html;base64,PHNjcmlwdD4=', 'picture'],
  ] as const)
    expect((await send(started, member, { attachments: [file] })).problem?.errors).toMatchObject([
      { path: 'attachments.0', code },
    ])
  expect(await started.services.files.list('messages')).toHaveLength(2)
})

test('staff open an attachment after step-up authentication, and the audit log records it', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const staff = await aSignedInMember(started, support)
  const { body } = await send(started, member, { attachments: [await aPicture()] })
  const other = await aConversation(started, await aSignedInMember(started))
  const open = (id: string) =>
    started.call(
      api.getConversationAttachment,
      { params: { id, attachmentId: body.messages[0]!.attachments[0]!.id } },
      { token: staff.token },
    )
  expect((await open(body.id)).status).toBe(200)
  expect((await open(other.id)).problem?.code).toBe('not_found')
  await letProofAge(started, staff)
  expect((await open(body.id)).problem?.code).toBe('step_up_required')
  const entries = await started.services.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'subject_id'])
    .where('action', '=', 'conversation-attachment-viewed')
    .execute()
  expect(entries).toEqual([{ actor_id: staff.id, subject_id: body.id }])
})

test('deletes attachments when their retention period ends, and keeps the message', async () => {
  const started = await startApi({ MESSAGE_ATTACHMENT_DAYS: '10' })
  const member = await aSignedInMember(started)
  const { body } = await send(started, member, { attachments: [await aPicture()] })
  const { db, files } = started.services
  const age = (days: number) =>
    db
      .updateTable('conversation_attachment')
      .set({ created_at: new Date(Date.now() - days * 86_400_000) })
      .execute()
  await age(9)
  await cleanUp(started.services)
  expect(await files.list('messages')).toHaveLength(1)
  await age(11)
  await cleanUp(started.services)
  await cleanUp(started.services)
  expect(await files.list('messages')).toHaveLength(0)
  const found = await started.call(
    api.findConversation,
    { query: { about: 'account' } },
    { token: member.token },
  )
  const [attachment] = found.body.conversation!.messages[0]!.attachments
  expect(attachment).toMatchObject({ isDeleted: true })
  const opened = await started.call(
    api.getAttachment,
    { params: { id: body.messages[0]!.attachments[0]!.id } },
    { token: member.token },
  )
  expect(opened.problem?.code).toBe('not_found')
})

test('the export contains the messages and files, and the erasure deletes them', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const staff = await aSignedInMember(started, { ...support, ...finance })
  const { body } = await send(started, member, { text: 'My question', attachments: [await aPicture()] })
  const identity = await aConversation(started, member, 'identity')
  for (const id of [body.id, identity.id])
    await started.call(
      api.addConversationNote,
      { params: { id }, body: { text: `A note about ${id}` } },
      { token: staff.token },
    )
  const exported = await started.call(api.exportMember, { query: {} }, { token: member.token })
  const parts = exported.body['conversations'] as {
    about: string
    messages: { by: string; files: string[] }[]
  }[]
  expect(parts.map(({ about, messages }) => [about, messages.map(({ by }) => by)])).toEqual([
    ['account', ['member', 'note']],
    ['identity', ['member']],
  ])
  expect(parts[0]!.messages[0]!.files).toEqual([expect.stringMatching(/^data:image\/jpeg;base64,/)])

  const erased = await started.call(
    api.eraseMember,
    { body: { current: member.password } },
    { token: member.token },
  )
  expect(erased.status).toBe(200)
  const { db, files } = started.services
  expect(await db.selectFrom('conversation').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('conversation_message').selectAll().execute()).toEqual([])
  await cleanUp(started.services)
  expect(await files.list('messages')).toEqual([])
})

test('deletes only one’s own notes, unless an administrator does it', async () => {
  const started = await startApi()
  const { id } = await aConversation(started, await aSignedInMember(started))
  const [author, other, admin] = [
    await aSignedInMember(started, support),
    await aSignedInMember(started, support),
    await aSignedInMember(started, { is_write_access_admin: true }),
  ]
  const add = () =>
    started.call(
      api.addConversationNote,
      { params: { id }, body: { text: 'Called.' } },
      { token: author.token },
    )
  const remove = (noteId: string, { token }: TestMember) =>
    started.call(api.removeConversationNote, { params: { id, noteId } }, { token })
  const noteId = (await add()).body.notes[0]!.id
  expect((await remove(noteId, other)).problem?.code).toBe('not_found')
  expect((await remove(noteId, author)).body.notes).toEqual([])
  expect((await remove((await add()).body.notes[0]!.id, admin)).body.notes).toEqual([])
  const entries = await started.services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id'])
    .where('subject_id', '=', id)
    .where('action', 'like', 'conversation-note-%')
    .orderBy('at')
    .execute()
  expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['conversation-note-added', author.id],
    ['conversation-note-removed', author.id],
    ['conversation-note-added', author.id],
    ['conversation-note-removed', admin.id],
  ])
})

test('saved replies are changed as they were read', async () => {
  const started = await startApi()
  const { token } = await aSignedInMember(started, support)
  const save = (body: object) =>
    started.call(
      api.saveReply,
      { body: { title: 'Thanks', en: 'Thank you.', cn: '谢谢。', ...body } },
      { token },
    )
  const { body: first } = await save({})
  const { body: second } = await save({ id: first.id, updatedAt: first.updatedAt, en: 'Thanks a lot.' })
  expect(second).toMatchObject({ id: first.id, en: 'Thanks a lot.', cn: '谢谢。' })
  expect((await save({ id: first.id, updatedAt: first.updatedAt })).problem?.code).toBe('conflict')
  expect((await save({ id: 'unknown', updatedAt: first.updatedAt })).problem?.code).toBe('not_found')
  await started.call(api.deleteReply, { params: { id: first.id } }, { token })
  expect((await started.call(api.listSavedReplies, {}, { token })).body).toEqual([])
})
