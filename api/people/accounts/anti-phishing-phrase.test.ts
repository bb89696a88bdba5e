import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started

const set = (member: TestMember, phrase: string) =>
  call(api.setAntiPhishingPhrase, { body: { phrase } }, { token: member.token })
const read = async (member: TestMember) =>
  (await call(api.getAntiPhishingPhrase, {}, { token: member.token })).body.phrase
const askForReset = (email: string) => call(api.requestPasswordReset, { body: { email } })

test('every email to the member contains the phrase, in text and escaped in HTML', async () => {
  const member = await aSignedInMember(started)
  const other = await aSignedInMember(started)
  expect(await read(member)).toBe('')
  const phrase = '两只 <b>苍鹭</b> & {brand} $& {phrase}'
  expect((await set(member, `  ${phrase} `)).body).toEqual({ phrase })
  expect(await read(member)).toBe(phrase)
  expect(await read(other)).toBe('')
  for (const { email } of [member, other]) await askForReset(email)
  const mails = await mailsTo(member.email)
  expect(mails.map(({ kind }) => kind)).toEqual(['phrase-set', 'password-reset'])
  for (const { text, html } of mails) {
    expect(text.split('\n')[0]).toContain(phrase)
    expect(html).toContain('两只 &lt;b&gt;苍鹭&lt;/b&gt; &amp; {brand} $&amp; {phrase}')
  }
  expect(JSON.stringify(await mailsTo(other.email))).not.toContain('苍鹭')
})

test('notices of a change and of a removal contain the phrase that the member knows', async () => {
  const member = await aSignedInMember(started)
  for (const phrase of ['First words', 'Second words', 'Second words', '']) await set(member, phrase)
  await askForReset(member.email)
  const mails = await mailsTo(member.email)
  const seen = mails.map(({ kind, text }) => [kind, /(First|Second) words/.exec(text)?.[0]])
  expect(seen).toEqual([
    ['phrase-set', 'First words'],
    ['phrase-changed', 'First words'],
    ['phrase-removed', 'Second words'],
    ['password-reset', undefined],
  ])
})

test('an unverified address gets no phrase; the old one is notified with it', async () => {
  const member = await aSignedInMember(started)
  await set(member, 'Two grey herons')
  const email = anEmail()
  await call(api.updateMember, { body: { id: member.id, email } }, { token: member.token })
  const [waiting] = await mailsTo(email)
  expect(waiting).toMatchObject({ kind: 'email-confirm' })
  expect(waiting!.text + waiting!.html).not.toContain('Two grey herons')
  const code = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(waiting!.text)![0]
  expect((await call(api.confirmEmail, { body: { code } }, { token: member.token })).status).toBe(200)
  const toOld = (await mailsTo(member.email)).find(({ kind }) => kind === 'email-changed')!
  expect(toOld.text).toContain('Two grey herons')
  await askForReset(email)
  expect((await mailsTo(email)).at(-1)!.text).toContain('Two grey herons')
})

test.each([
  ['x'.repeat(61), 'too_long'],
  ['see https://evil.example', 'invalid'],
  ['see evil.example now', 'invalid'],
  ['www.evil', 'invalid'],
  ['two\nlines', 'invalid'],
  ['turned \u202Eround', 'invalid'],
])('a phrase is plain text of at most 60 characters: %j', async (phrase, code) => {
  const member = await aSignedInMember(started)
  const { problem } = await set(member, phrase)
  expect(problem.errors).toEqual([expect.objectContaining({ path: 'phrase', code })])
  expect(await read(member)).toBe('')
})

test('it is stored encrypted, and no call shows it to staff', async () => {
  const member = await aSignedInMember(started)
  const officer = await aSignedInMember(started, { manage_employee: 2, is_write_access_admin: true })
  await set(member, 'Two grey herons')
  const row = await services.db
    .selectFrom('member_phrase')
    .selectAll()
    .where('member_id', '=', member.id)
    .executeTakeFirstOrThrow()
  expect(row.sealed_phrase.toString('latin1')).not.toContain('heron')
  expect(() => services.keys.open('phrase', officer.id, row.sealed_phrase)).toThrow()
  const seen = await call(api.getMember, { params: { id: member.id } }, { token: officer.token })
  expect(JSON.stringify(seen.body)).not.toContain('heron')
})

test('it can be changed at most ten times an hour, and is deleted with its member', async () => {
  const member = await aSignedInMember(started)
  for (let n = 0; n < 10; n += 1) expect((await set(member, `phrase ${n}`)).status).toBe(200)
  expect((await set(member, 'one more')).problem.code).toBe('rate_limited')
  await call(api.eraseMember, { body: { current: member.password } }, { token: member.token })
  const [mail] = await mailsTo(member.email)
  expect(mail).toMatchObject({ kind: 'account-erased', text: expect.stringContaining('phrase 9') })
  const left = await services.db.selectFrom('member_phrase').select('member_id').execute()
  expect(left.map(({ member_id }) => member_id)).not.toContain(member.id)
})
