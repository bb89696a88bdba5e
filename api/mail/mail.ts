import type { Noun, Source } from '../noun.ts'
import { deleteAntiPhishingPhrase, hasAntiPhishingPhrase } from './anti-phishing-phrase.queries.ts'
import { startMailWorker } from './mail-worker.ts'
import { deleteMailsTo, deleteOldMails, listMailsTo } from './mail.queries.ts'

/** The outbox, and the anti-phishing phrase of each member. */
export const mail = {
  personal: {
    columns: {
      mail: { to_address: 'erased', sealed_message: 'erased', last_error: 'erased' },
      member_phrase: { member_id: 'erased', sealed_phrase: 'erased' },
    },
    parts: { mails: { isList: true, read: readMails } },
    erases: {
      mails: async (db, { email }) => (await listMailsTo(db, email)).length > 0,
      phrase: (db, { id }) => hasAntiPhishingPhrase(db, id),
    },
    erase: async (db, { id, email }) => {
      // The notice of the erasure itself is still to be sent.
      await deleteMailsTo(db, email, 'account-erased')
      await deleteAntiPhishingPhrase(db, id)
    },
  },
  cleanUp: { oldMails: ({ db }) => deleteOldMails(db) },
  workers: [
    (services) =>
      services.config.smtpUrl === undefined ? undefined : startMailWorker(services, services.config.smtpUrl),
  ],
} satisfies Noun

async function* readMails({ db, member }: Source) {
  for (const { kind, state, created_at, sent_at } of await listMailsTo(db, member.email))
    yield { kind, state, createdAt: created_at.toISOString(), sentAt: sent_at?.toISOString() ?? null }
}
