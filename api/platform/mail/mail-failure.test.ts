import { expect, test } from 'vitest'
import { failureOf, fateOf, isAboutMailbox, isBareRefusal, failureReasonOf } from './mail-failure.ts'

const smtp = (responseCode: number, response: string, command: string) => ({
  responseCode,
  response,
  command,
})

test.each([
  [smtp(550, '550 5.1.1 <ada@example.org> no such user', 'RCPT TO'), '550', 'mailbox_unknown'],
  [smtp(550, '550 no', 'RCPT TO'), '550', 'mailbox_unknown'],
  [smtp(550, '550 5.7.1 blocked', 'RCPT TO'), '550', 'policy'],
  [smtp(550, '550 5.4.5 daily limit', 'RCPT TO'), '550', 'try_later'],
  [smtp(550, '550 5.6.1 not like this', 'RCPT TO'), '550', 'refused'],
  [smtp(554, '554 spam', 'DATA'), '554', 'policy'],
  [smtp(421, '421 4.7.0 try again', 'CONN'), '421', 'try_later'],
  [smtp(451, '451 greylisted', 'RCPT TO'), '451', 'try_later'],
  [smtp(452, '452 4.2.2 over quota', 'RCPT TO'), '452', 'mailbox_full'],
  [smtp(552, '552 full', 'RCPT TO'), '552', 'mailbox_full'],
  [smtp(552, '552 5.3.4 too big', 'DATA'), '552', 'too_large'],
  [smtp(553, '553 not allowed', 'MAIL FROM'), '553', 'sender_refused'],
  [smtp(553, '553 bad', 'RCPT TO'), '553', 'address_invalid'],
  [smtp(535, '535 5.7.8 bad credentials', 'AUTH PLAIN'), '535', 'authentication'],
  [smtp(530, '530 5.7.0 sign in first', 'MAIL FROM'), '530', 'authentication'],
  [{ code: 'EAUTH', command: 'API' }, 'EAUTH', 'authentication'],
  [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, 'ECONNREFUSED', 'connection_refused'],
  [{ code: 'EDNS', originalCode: 'ENOTFOUND', command: 'CONN' }, 'ENOTFOUND', 'host_unknown'],
  [{ code: 'ETIMEDOUT', command: 'CONN' }, 'ETIMEDOUT', 'timed_out'],
  [{ code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' }, 'CERT_HAS_EXPIRED', 'tls'],
  [{ code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  [{ code: 'ECONNECTION' }, 'ECONNECTION', 'connection_lost'],
  [{ code: 'unreadable' }, 'unreadable', 'unreadable'],
  [new Error('x'), 'unknown', 'unknown'],
  [null, 'unknown', 'unknown'],
])('%o is %s: %s', (error, code, trouble) => {
  const failure = failureOf(error)
  expect(failure.error).toBe(code)
  expect(failureReasonOf(failure)).toBe(trouble)
})

test("only codes of a mail server's answer are kept", () => {
  const error = smtp(550, '550 5.1.1 <ada@example.org> unknown', 'RCPT TO:<ada@example.org>')
  expect(failureOf(error)).toEqual({ error: '550', enhanced: '5.1.1' })
})

test.each([
  [smtp(550, '550 5.1.1 no such user', 'RCPT TO'), 'never'],
  [smtp(550, '550 5.7.1 blocked by its rules', 'RCPT TO'), 'never'],
  [smtp(552, '552 5.2.2 over quota', 'RCPT TO'), 'never'],
  [smtp(554, '554 5.6.0 not like this', 'DATA'), 'never'],
  [smtp(552, '552 5.3.4 too big', 'MAIL FROM'), 'never'],
  [{ code: 'EENVELOPE', command: 'API' }, 'never'],
  [{ code: 'EMESSAGE', command: 'MAIL FROM' }, 'never'],
  [smtp(550, '550 no', 'RCPT TO'), 'never'],
  [smtp(550, '550 5.4.5 Daily sending limit exceeded', 'RCPT TO'), 'later'],
  [smtp(554, '554 5.1.90 daily message limit', 'DATA'), 'later'],
  [smtp(553, '553 5.3.0 not now', 'RCPT TO'), 'later'],
  [smtp(550, '550 5.4.5 Daily sending limit exceeded', 'MAIL FROM'), 'ours'],
  [smtp(421, '421 4.7.0 later', 'CONN'), 'later'],
  [smtp(450, '450 4.2.1 later', 'RCPT TO'), 'later'],
  [smtp(452, '452 4.2.2 over quota', 'RCPT TO'), 'later'],
  [smtp(454, '454 4.7.0 no authentication just now', 'AUTH PLAIN'), 'later'],
  [{ code: 'ETIMEDOUT', command: 'DATA' }, 'later'],
  [{ code: 'ECONNECTION', command: 'CONN' }, 'later'],
  [{ code: 'unreadable' }, 'later'],
  [smtp(535, '535 5.7.8 bad credentials', 'AUTH PLAIN'), 'ours'],
  [smtp(530, '530 5.7.0 sign in first', 'MAIL FROM'), 'ours'],
  [smtp(550, '550 5.7.1 not for this sender', 'MAIL FROM'), 'ours'],
  [smtp(501, '501 what name is that', 'EHLO'), 'ours'],
  [smtp(554, '554 5.7.1 your address is listed', 'CONN'), 'ours'],
  [smtp(554, '554 5.7.1 <x@y>: Relay access denied', 'RCPT TO'), 'ours'],
  [smtp(550, '550 relay not permitted', 'RCPT TO'), 'ours'],
  [smtp(550, '550 5.7.26 unauthenticated sender', 'DATA'), 'ours'],
  [{ code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED', command: 'CONN' }, 'ours'],
  [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, 'ours'],
  [{ code: 'EDNS', originalCode: 'ENOTFOUND', command: 'CONN' }, 'ours'],
  [{ code: 'ETIMEDOUT', command: 'CONN' }, 'ours'],
])('%o: %s', (error, fate) => {
  expect(fateOf(failureOf(error))).toBe(fate)
})

test.each([
  [smtp(550, '550 5.1.1 no such user', 'RCPT TO'), 'mailbox'],
  [smtp(550, '550 5.1.10 no such recipient', 'DATA'), 'mailbox'],
  [smtp(550, '550 5.2.1 closed', 'RCPT TO'), 'mailbox'],
  [smtp(550, '550 no', 'RCPT TO'), 'bare'],
  [smtp(553, '553 5.0.0 no', 'RCPT TO'), 'bare'],
  [smtp(550, '550 spam', 'DATA'), 'neither'],
  [smtp(550, '550 5.7.1 5.1.1', 'RCPT TO'), 'neither'],
  [smtp(550, '550 5.4.5 limit', 'RCPT TO'), 'neither'],
  [smtp(550, '550 relay not permitted', 'RCPT TO'), 'neither'],
  [smtp(450, '450 4.1.1 not yet known', 'RCPT TO'), 'neither'],
  [{ code: 'EENVELOPE', command: 'API' }, 'neither'],
])('%o is about the mailbox: %s', (error, told) => {
  const failure = failureOf(error)
  expect(isAboutMailbox(failure)).toBe(told === 'mailbox')
  expect(isBareRefusal(failure)).toBe(told === 'bare')
})

test('identifies a relay that refuses us, without keeping its text', () => {
  const failure = failureOf(smtp(554, '554 5.7.1 <ada@example.org>: Relay access denied', 'RCPT TO'))
  expect(failureReasonOf(failure)).toBe('relay_refused')
  expect(JSON.stringify(failure)).not.toContain('ada')
})
