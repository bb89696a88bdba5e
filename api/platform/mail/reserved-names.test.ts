import { expect, onTestFinished, test } from 'vitest'
import { startMailServer } from '#tests/setup/mail-server.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { transaction } from '../db/database.ts'
import { startMailWorker } from './mail-worker.ts'
import { sendMail } from './send-mail.ts'

test('contacts no mail server for addresses without a mailbox, such as those of sample people', async () => {
  const { services } = await startApi()
  const { db, keys } = services
  const server = await startMailServer()
  const worker = startMailWorker(services, server.url)
  onTestFinished(async () => {
    await worker.stop()
    await server.close()
  })
  const link = 'http://localhost:3000/kyc'
  for (const email of ['person.1@people.example', 'a@b.invalid', 'somebody@example.org', 'z@coin.example'])
    await transaction(db, (db) => sendMail(db, keys, { email, language: 'en' }, 'kyc-approved', { link }))
  worker.wake()
  const read = () =>
    db
      .selectFrom('mail')
      .select(['to_address', 'state', 'attempts', 'last_error'])
      .orderBy('to_address')
      .execute()
  await expect.poll(async () => (await read()).filter(({ state }) => state === 'waiting')).toEqual([])
  expect(await read()).toEqual([
    { to_address: 'a@b.invalid', state: 'failed', attempts: 1, last_error: 'ENOTFOUND' },
    { to_address: 'person.1@people.example', state: 'failed', attempts: 1, last_error: 'ENOTFOUND' },
    { to_address: 'somebody@example.org', state: 'sent', attempts: 1, last_error: null },
    { to_address: 'z@coin.example', state: 'sent', attempts: 1, last_error: null },
  ])
  expect(server.received.flatMap(({ recipients }) => recipients).toSorted()).toEqual([
    'somebody@example.org',
    'z@coin.example',
  ])
})
