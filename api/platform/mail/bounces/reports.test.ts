import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { transaction } from '#api/platform/db/database.ts'
import { recordAddressVerified } from '#api/people/members/member.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { lastRow, notify, refusalOf, startPost } from '#tests/setup/post.ts'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { makeKeys } from '../../keys.ts'
import { insertClaimedMail, markMailSent } from '../mail.queries.ts'
import { mail } from '../mail.ts'
import { recordBounce } from './record-bounce.ts'
import { findMailOfReturnPath, returnPathOf } from './return-path.ts'

/** In the format of mail servers (RFC 3464). */
const aReport = (to: string, { action = 'failed', status = '5.1.1', said = '550 5.1.1 no such user' } = {}) =>
  [
    'From: MAILER-DAEMON@mail.example',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="=_part/1"',
    '',
    'This is the mail system.',
    '--=_part/1',
    'Content-Type: text/plain',
    '',
    'It could not be delivered.',
    '--=_part/1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.example',
    '',
    'Final-Recipient: rfc822; somebody@example.org',
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${said}`,
    '',
    '--=_part/1--',
    '',
  ].join('\r\n')

test('a return path is recognized in any spelling, and no other address is', () => {
  const keys = makeKeys(randomBytes(32))
  const id = randomUUID()
  const path = returnPathOf(keys, 'bounces@coin.example', id)
  expect(path.split('@')[0]!.length).toBeLessThanOrEqual(64)
  expect(findMailOfReturnPath(keys, path)).toBe(id)
  expect(findMailOfReturnPath(keys, ` ${path.toUpperCase()}`)).toBe(id)
  expect(findMailOfReturnPath(makeKeys(randomBytes(32)), path)).toBeUndefined()
  for (let at = 8; at < 50; at += 1) {
    const other = path[at] === 'a' ? 'b' : 'a'
    expect(findMailOfReturnPath(keys, path.slice(0, at) + other + path.slice(at + 1))).toBeUndefined()
  }
  for (const address of ['', 'bounces@coin.example', 'bounces+@coin.example', 'a'.repeat(5000)])
    expect(findMailOfReturnPath(keys, address)).toBeUndefined()
})

/** A member with a sent email, and the email's envelope sender. */
async function aSentMail() {
  const post = await startPost()
  const member = await aSignedInMember(post)
  await notify(post, member.email)
  await post.deliver()
  const row = await lastRow(post, member.email)
  const returnPath = post.server.received.at(-1)!.sender
  expect(findMailOfReturnPath(post.services.keys, returnPath)).toBe(row.id)
  return { post, member, row, returnPath }
}

test('a delivery report marks email and mailbox, and the mark ends days after an email is accepted again', async () => {
  const { post, member, row, returnPath } = await aSentMail()
  const { services } = post
  expect(await recordBounce(services, aReport(returnPath))).toBe('marked')
  expect(await recordBounce(services, aReport(returnPath))).toBe('noted')
  expect(await lastRow(post, member.email)).toMatchObject({ id: row.id, state: 'failed', last_error: '550' })
  expect(await refusalOf(post, member.token)).toMatchObject({ code: '550 5.1.1', isReported: true })
  const staff = await aSignedInMember(post, { manage_employee: 2, manage_finance: 2 })
  const shown = await post.call(api.getMail, { params: { id: row.id } }, { token: staff.token })
  expect(shown.body).toMatchObject({ state: 'failed', trouble: 'mailbox_unknown', code: '550 5.1.1' })
  expect(shown.body.tries.at(-1)).toMatchObject({ step: 'REPORT' })

  const due = { tried_at: sql<Date>`now() - interval '25 hours'` }
  await services.db.updateTable('mailbox_refusal').set(due).execute()
  await notify(post, member.email)
  await post.deliver()
  // The server that accepted it may not be the last hop.
  await mail.cleanUp.pastRefusals(services)
  expect(await refusalOf(post, member.token)).not.toBeNull()
  const longAgo = { accepted_at: sql<Date>`now() - interval '4 days'` }
  await services.db.updateTable('mailbox_refusal').set(longAgo).execute()
  await mail.cleanUp.pastRefusals(services)
  expect(await refusalOf(post, member.token)).toBeNull()
})

test('a report counts once, and not if the mailbox was reached since the email was sent', async () => {
  const { post, member, returnPath } = await aSentMail()
  const { services } = post
  await notify(post, member.email)
  await post.deliver()
  const second = post.server.received.at(-1)!.sender
  const reached = () => transaction(services.db, (db) => recordAddressVerified(db, member.id))
  expect(await recordBounce(services, aReport(returnPath))).toBe('marked')
  await reached()
  expect(await recordBounce(services, aReport(returnPath))).toBe('noted')
  expect(await recordBounce(services, aReport(second))).toBe('noted')
  expect((await lastRow(post, member.email)).state).toBe('failed')
  expect(await refusalOf(post, member.token)).toBeNull()

  await notify(post, member.email)
  await post.deliver()
  expect(await recordBounce(services, aReport(post.server.received.at(-1)!.sender))).toBe('marked')
})

test("a report that arrives before the mail server's answer is kept with the email", async () => {
  const { services } = await startPost()
  const claim = await insertClaimedMail(
    services.db,
    { id: randomUUID(), toAddress: 'x@y.example', kind: 'kyc-approved', sealedMessage: Buffer.from('x') },
    60_000,
  )
  const path = returnPathOf(services.keys, 'bounces@coin.example', claim.id)
  await recordBounce(services, aReport(path))
  await markMailSent(services.db, claim)
  const row = await services.db.selectFrom('mail').selectAll().where('id', '=', claim.id).executeTakeFirst()
  expect(row).toMatchObject({ state: 'failed', last_error: '550', sealed_message: null })
})

test('any message is parsed quickly', async () => {
  const { services } = await startPost()
  const endless = [`To: ${'a'.repeat(100_000)}`, 'To: a\r\n'.repeat(100_000), `To: ${'a@'.repeat(50_000)}`]
  const time = await processorTimeOf(async () => {
    for (const head of endless) expect(await recordBounce(services, `${head}\r\n\r\n`)).toBe('not_ours')
  })
  expect(time).toBeLessThan(3000)
})

test('a forged report marks nobody: only the address it arrived at counts', async () => {
  const { post, member, row, returnPath } = await aSentMail()
  const { services } = post
  const forged = returnPathOf(makeKeys(randomBytes(32)), 'bounces@coin.example', row.id)
  for (const to of [
    'bounces@coin.example',
    member.email,
    forged,
    returnPath.replace(/.@/, (at) => `${at[0] === 'a' ? 'b' : 'a'}@`),
  ]) {
    expect(await recordBounce(services, aReport(to))).toBe('not_ours')
    expect(
      await recordBounce(services, `Message-ID: <${row.id}@coin.example>\r\n${aReport('x@y.example')}`, to),
    ).toBe('not_ours')
  }
  // An address in the body of the report is not where it arrived.
  expect(await recordBounce(services, aReport('x@y.example') + returnPath)).toBe('not_ours')
  await services.db
    .updateTable('mail')
    .set({ created_at: sql<Date>`now() - interval '8 days'` })
    .execute()
  expect(await recordBounce(services, aReport(returnPath))).toBe('mail_unknown')
  expect(await refusalOf(post, member.token)).toBeNull()
  expect((await lastRow(post, member.email)).state).toBe('sent')
})

test('a temporary or unrelated failure does not mark the mailbox', async () => {
  const { post, member, returnPath } = await aSentMail()
  const { services } = post
  const vacation = `To: ${returnPath}\r\nSubject: I am away\r\nAuto-Submitted: auto-replied\r\n\r\nBack on Monday.\r\n`
  expect(await recordBounce(services, vacation)).toBe('no_report')
  expect(await recordBounce(services, '')).toBe('not_ours')
  expect(await recordBounce(services, 'x'.repeat(100_000), returnPath)).toBe('no_report')
  const says = async (report: Parameters<typeof aReport>[1]) => {
    const { state } = await lastRow(post, member.email)
    if (state === 'failed') await services.db.updateTable('mail').set({ state: 'sent' }).execute()
    return recordBounce(services, aReport(returnPath, report))
  }
  expect(await says({ action: 'delayed', status: '4.4.1' })).toBe('not_failed')
  expect(await says({ action: 'delivered', status: '2.0.0' })).toBe('not_failed')
  expect(await says({ action: 'failed', status: 'nonsense' })).toBe('not_failed')
  expect((await lastRow(post, member.email)).state).toBe('sent')
  expect(await says({ status: '4.4.7', said: '421 try later' })).toBe('noted')
  expect(await says({ status: '5.7.1', said: '550 5.7.1 as spam' })).toBe('noted')
  expect(await says({ status: '5.0.0', said: '550 High probability of spam' })).toBe('noted')
  expect(await says({ status: '5.4.5', said: '550 5.4.5 limit of the day' })).toBe('noted')
  expect(await says({ status: '5.2.2', said: '552 5.2.2 over quota' })).toBe('noted')
  expect(await refusalOf(post, member.token)).toBeNull()
  expect((await lastRow(post, member.email)).state).toBe('failed')
  expect(await says({ status: '5.0.0', said: '550 5.1.1 unknown' })).toBe('marked')
})

test('the report part may be encoded, and its text is not stored', async () => {
  const { post, member, returnPath } = await aSentMail()
  const plain = aReport(returnPath, { said: `550 5.1.1 <${member.email}> unknown` })
  const start = plain.indexOf('Reporting-MTA')
  const end = plain.indexOf('--=_part/1--')
  const coded = Buffer.from(plain.slice(start, end)).toString('base64')
  const raw = (plain.slice(0, start) + coded + '\r\n' + plain.slice(end)).replace(
    'message/delivery-status\r\n',
    'message/delivery-status\r\nContent-Transfer-Encoding: base64\r\n',
  )
  expect(await recordBounce(post.services, raw)).toBe('marked')
  const row = await lastRow(post, member.email)
  expect(JSON.stringify(row.tries)).not.toContain(member.email)
})
