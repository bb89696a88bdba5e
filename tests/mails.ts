import { onTestFinished } from 'vitest'
import { sendMail } from '#api/platform/mail/send-mail.ts'
import { startMailWorker } from '#api/platform/mail/mail-worker.ts'
import { startMailServer } from './setup/mail-server.ts'
import { startApi, type TestApi } from './setup/start-api.ts'

/** Inserts an email to the address and returns its ID. */
export async function aMailTo(
  { services: { db, keys } }: TestApi,
  email: string,
  kind: 'kyc-approved' | 'rights-changed' = 'rights-changed',
): Promise<string> {
  await sendMail(db, keys, { email, language: 'en' }, kind, {
    link: 'https://coin.example/kyc',
    resetLink: 'https://coin.example/reset',
  })
  return latestMailTo({ services: { db } }, email)
}

export async function latestMailTo(
  { services: { db } }: { services: Pick<TestApi['services'], 'db'> },
  email: string,
): Promise<string> {
  const { id } = await db
    .selectFrom('mail')
    .select('id')
    .where('to_address', '=', email)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes an email as time or a worker would. */
export const setMail = ({ services: { db } }: TestApi, id: string, change: object) =>
  db.updateTable('mail').set(change).where('id', '=', id).execute()

/** An API with a mail server, and workers once they are started. */
export async function withMailServer() {
  const server = await startMailServer()
  const started = await startApi({ SMTP_URL: server.url })
  onTestFinished(() => server.close())
  const startWorker = () => {
    const worker = startMailWorker(started.services, server.url)
    onTestFinished(() => worker.stop())
    return worker
  }
  return { server, started, startWorker }
}
