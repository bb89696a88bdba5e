import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { mailGroups } from '#contract/publishing/content-emails.ts'
import cn from '#content/emails/cn.json' with { type: 'json' }
import en from '#content/emails/en.json' with { type: 'json' }
import { sendMail } from '#api/platform/mail/send-mail.ts'
import { setMailTexts } from '#api/platform/mail/render-mail.ts'
import { transaction } from '#api/platform/db/database.ts'
import { anEmail } from '#tests/builders.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { db, keys } = started.services
const desk = await aContentDesk(started)
// Test files in one worker share their modules.
afterAll(() => setMailTexts(() => ({})))

const piece = 'mails/identity'
const approved = en['kyc-approved']

async function mailed(language: 'en' | 'cn') {
  const email = anEmail()
  await transaction(db, (db) =>
    sendMail(db, keys, { email, language }, 'kyc-approved', { link: 'https://here.example/kyc' }),
  )
  return (await started.mailsTo(email))[0]!
}

test('changes a text of an email in both languages, and the next one uses it', async () => {
  const before = await mailed('en')
  expect(before.text).toContain(approved.before[0])
  await desk.put(piece, {
    'en.kyc-approved.subject': 'Welcome on board, says {brand}',
    'cn.kyc-approved.subject': '{brand} 欢迎你',
    'en.kyc-approved.before.1': 'All is well with your documents.',
    'cn.kyc-approved.before.1': '你的证件没有问题。',
  })
  const [english, chinese] = [await mailed('en'), await mailed('cn')]
  expect(english.subject).toMatch(/^Welcome on board, says /)
  expect(english.text).toContain('All is well with your documents.')
  expect(english.text).not.toContain(approved.before[0])
  expect(chinese.text).toContain('你的证件没有问题。')
  // Earlier emails keep their text.
  expect((await started.mailsTo(before.to))[0]!.text).toBe(before.text)
})

test('an email keeps its placeholders in the text where they belong', async () => {
  const withLink = Object.entries(
    (await desk.read('mails/security')).published as { en: Record<string, string> },
  )
    .flatMap(([language, texts]) => (language === 'en' ? Object.entries(texts) : []))
    .find(([, text]) => text.includes('{resetLink}'))!
  const [key] = withLink
  for (const text of ['Nothing to set.', 'Set it at {elsewhere}', ''])
    expect((await desk.save('mails/security', { [`en.${key}`]: text })).found).not.toEqual([])
  const { problem } = await desk.publish(['mails/security'])
  expect(problem.code).toBe('content_broken')
  expect(problem.broken!.map(({ file, place }) => `${file} ${place}`)).toContain(`emails/en.json ${key}`)
  const { version } = await desk.read('mails/security')
  await desk.call(api.discardContentDraft, { body: { piece: 'mails/security', version } })
})

test('every email to others than staff can be edited in both languages; those to staff cannot', async () => {
  const pieces = await Promise.all(mailGroups.map((group) => desk.read(`mails/${group}`)))
  const texts = pieces.flatMap(({ file }) => Object.keys((file as { en: object }).en))
  const other = pieces.flatMap(({ file }) => Object.keys((file as { cn: object }).cn))
  expect(texts.toSorted()).toEqual(other.toSorted())
  const kinds = new Set(texts.map((key) => key.slice(0, key.indexOf('.'))))
  const ofStaff = /^(staff|sale|content|administrator|rights|test)\b/
  const mails = Object.keys(en).filter((name) => typeof en[name as keyof typeof en] !== 'string')
  expect(mails.filter((kind) => kinds.has(kind) === ofStaff.test(kind))).toEqual([])
  expect(Object.keys(cn)).toEqual(Object.keys(en))
})

test('editing emails requires step-up authentication', async () => {
  const other = await aContentDesk(started)
  await other.save('mails/frame', { 'en.frame.greeting': 'Good day,', 'cn.frame.greeting': '你好！' })
  await letProofAge(started, other.editor)
  expect((await other.publish(['mails/frame'])).problem.code).toBe('step_up_required')
})

test('rejects an unknown email, text, or group', async () => {
  const { version } = await desk.read(piece)
  for (const place of [
    'en.kyc-approved.before.9',
    'en.test.subject',
    'es.kyc-approved.subject',
    'en.activation.subject',
  ])
    expect(
      (await desk.call(api.saveContentDraft, { body: { piece, version, changes: { [place]: 'x' } } })).status,
      place,
    ).toBe(400)
  for (const strange of ['mails/staff', 'mails/emails', 'mails/constructor'])
    expect((await desk.call(api.getContentItem, { query: { piece: strange } })).status).toBe(404)
})
