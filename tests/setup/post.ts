import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { api } from '#contract/api.ts'
import { transaction } from '#api/platform/db/database.ts'
import { startMailWorker } from '#api/platform/mail/mail-worker.ts'
import { sendMail } from '#api/platform/mail/send-mail.ts'
import { startMailServer, type MailServer } from './mail-server.ts'
import { startApi, type TestApi } from './start-api.ts'

const settings = { BOUNCE_ADDRESS: 'bounces@coin.example', PUBLIC_URL: 'https://coin.example' }

/** An API whose outbox is delivered to a real SMTP server, with bounces to signed addresses. */
export type Post = TestApi & { server: MailServer; deliver: () => Promise<void> }

export async function startPost(
  more: Record<string, string> = {},
  until: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Post> {
  const started = await startApi({ ...settings, ...more }, until)
  const server = await startMailServer()
  const worker = startMailWorker(started.services, server.url)
  until(async () => {
    await worker.stop()
    await server.close()
  })
  const { db } = started.services
  /** Tries every email once more. */
  const deliver = async () => {
    await db
      .updateTable('mail')
      .set({ next_try_at: sql<Date>`now()`, last_error: null })
      .where('state', '=', 'waiting')
      .execute()
    worker.wake()
    const waiting = () =>
      db
        .selectFrom('mail')
        .select('id')
        .where('state', '=', 'waiting')
        .where('last_error', 'is', null)
        .execute()
    await expect.poll(waiting, { timeout: 15_000 }).toEqual([])
  }
  return { ...started, server, deliver }
}

export const notify = ({ services }: TestApi, email: string) =>
  transaction(services.db, (db) =>
    sendMail(db, services.keys, { email, language: 'en' }, 'kyc-approved', {
      link: 'https://coin.example/kyc',
    }),
  )

export const lastRow = ({ services }: TestApi, email: string) =>
  services.db
    .selectFrom('mail')
    .selectAll()
    .where('to_address', '=', email)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

export const refusalOf = async ({ call }: TestApi, token: string) =>
  (await call(api.readOwnMailbox, {}, { token })).body.refusal
