import { expect, test } from 'vitest'
import type { Keys } from '../keys.ts'
import type { Tx } from '../db/database.ts'
import { sendMail } from './send-mail.ts'

test('an email compiles only with exactly the values of its kind', () => {
  const mails = (db: Tx, keys: Keys) => {
    const reader = { email: 'reader@example.org', language: 'en' } as const
    const either = Math.random() < 0.5 ? 'kyc-approved' : 'kyc-expires-soon'
    return [
      sendMail(db, keys, reader, 'email-changed'),
      sendMail(db, keys, reader, 'activation', { link: 'x', code: 'x' }),
      sendMail(db, keys, reader, either, { link: 'x', date: 'x' }),
      // @ts-expect-error a code is missing
      sendMail(db, keys, reader, 'activation', { link: 'x' }),
      // @ts-expect-error the link of the button is missing
      sendMail(db, keys, reader, 'activation', { code: 'x' }),
      // @ts-expect-error there are no values at all
      sendMail(db, keys, reader, 'activation'),
      // @ts-expect-error a value is misspelt
      sendMail(db, keys, reader, 'email-confirm', { Code: 'x' }),
      // @ts-expect-error a value is not in the mail
      sendMail(db, keys, reader, 'email-confirm', { code: 'x', link: 'x' }),
      // @ts-expect-error the mail takes no values
      sendMail(db, keys, reader, 'email-changed', { code: 'x' }),
      // @ts-expect-error one of the two kinds needs a date
      sendMail(db, keys, reader, either, { link: 'x' }),
      // @ts-expect-error values of unknown names
      sendMail(db, keys, reader, 'email-confirm', {} as Record<string, string>),
      // @ts-expect-error there is no such mail
      sendMail(db, keys, reader, 'footer'),
    ]
  }
  expect(mails).toBeTypeOf('function')
})
