import { sendMail } from '#api/mail/send-mail.ts'
import { transaction } from '#api/db/database.ts'
import type { Scene } from './requests.ts'

async function aMail({ started: { services }, owner }: Scene): Promise<string> {
  await transaction(services.db, (db) =>
    sendMail(db, services.keys, { email: owner.email, language: 'en' }, 'already-member', {
      link: 'https://coin.example/login',
      resetLink: 'https://coin.example/login/reset',
    }),
  )
  const { id } = await services.db
    .selectFrom('mail')
    .select('id')
    .where('to_address', '=', owner.email)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

/** The outbox in the console. */
export const mailRequests = {
  listMails: async () => ({}),
  exportMails: async () => ({}),
  readMailFigures: async () => ({}),
  readOwnMailbox: async () => ({}),
  listMailTemplates: async () => ({}),
  getMailTemplate: async () => ({ params: { kind: 'activation' } }),
  getMail: async (scene: Scene) => ({ params: { id: await aMail(scene) } }),
  sendMailAgain: async (scene: Scene) => ({ body: { id: await aMail(scene) } }),
  stopMail: async (scene: Scene) => ({ body: { id: await aMail(scene) } }),
  sendTestMail: async () => ({ body: null }),
}
