import { expect, test } from 'vitest'
import { mailboxOf } from './email-quota.ts'

test.each([
  ['person@example.org', 'person@example.org'],
  ['Person+news@Example.org', 'person@example.org'],
  ['person+a+b@example.org', 'person@example.org'],
  ['first.last@example.org', 'first.last@example.org'],
  ['f.i.r.s.t+x@gmail.com', 'first@gmail.com'],
  ['first@googlemail.com', 'first@gmail.com'],
  // A leading plus sign is a name.
  ['+person@example.org', '+person@example.org'],
])('counts %s as the mailbox %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox))
