import { collectHandlers, type Module, type Source } from '../module.ts'
import { deleteAntiPhishingPhrase, hasAntiPhishingPhrase } from './anti-phishing-phrase.queries.ts'
import { deletePastRefusals, eraseMailboxOf, findRefusalOf } from './bounces/mailbox-refusal.queries.ts'
import { presentRefusal } from './bounces/present-refusal.ts'
import * as ownMailbox from './bounces/own-mailbox.ts'
import * as actOnMail from './console/act-on-mail.ts'
import * as mailTemplates from './console/mail-templates.ts'
import * as mailReads from './console/read-mails.ts'
import * as pauseDelivery from './console/pause-delivery.ts'
import * as sendTestMail from './console/send-test-mail.ts'
import { mailExpiry } from './mail-kinds.ts'
import {
  deleteNotificationsOf,
  deleteOldNotifications,
  listAllNotifications,
  listMutedAreas,
} from './notifications/notification.queries.ts'
import * as ownNotifications from './notifications/own-notifications.ts'
import { startMailWorker } from './mail-worker.ts'
import { deleteOldMails, eraseExpiredMessages, eraseMailsOf, listMailsOf } from './mail.queries.ts'

/** The outbox, the notifications of members, and their anti-phishing phrases. */
export const mail = {
  calls: collectHandlers(
    ownMailbox,
    ownNotifications,
    actOnMail,
    mailTemplates,
    mailReads,
    pauseDelivery,
    sendTestMail,
  ),
  personal: {
    columns: {
      mail: {
        to_address: 'erased',
        member_id: 'erased',
        sealed_message: 'erased',
        last_error: 'erased',
        tries: 'erased',
        message_id: 'erased',
      },
      mailbox_refusal: {
        member_id: 'erased',
        address: 'erased',
        error: 'erased',
        enhanced: 'erased',
        trial_mail_id: 'erased',
      },
      mailbox_reached: { member_id: 'erased' },
      member_phrase: { member_id: 'erased', sealed_phrase: 'erased' },
      member_notification: { member_id: 'erased', path: 'erased', reference: 'erased' },
      muted_email_area: { member_id: 'erased' },
    },
    parts: {
      mails: { isList: true, read: readMails },
      mailbox: { isList: true, read: readMailbox },
      accountNotifications: { isList: true, read: readNotifications },
      emailsOff: { isList: true, read: readMuted },
    },
    erases: {
      mails: async (db, member) =>
        (await listMailsOf(db, member)).length > 0 || (await listAllNotifications(db, member.id)).length > 0,
      phrase: (db, { id }) => hasAntiPhishingPhrase(db, id),
    },
    erase: async (db, member) => {
      // The notice of the erasure itself must still be sent.
      await eraseMailsOf(db, member, 'account-erased')
      await deleteAntiPhishingPhrase(db, member.id)
      await eraseMailboxOf(db, member.id)
      await deleteNotificationsOf(db, member.id)
    },
  },
  cleanUp: {
    oldMails: ({ db }) => deleteOldMails(db),
    oldNotifications: ({ db }) => deleteOldNotifications(db),
    pastRefusals: ({ db }) => deletePastRefusals(db),
    expiredCodesOfMails: ({ db }) => eraseExpiredMessages(db, mailExpiry),
  },
  workers: [
    (services) =>
      services.config.smtpUrl === undefined ? undefined : startMailWorker(services, services.config.smtpUrl),
  ],
} satisfies Module

async function* readMailbox({ db, member }: Source) {
  const refusal = await findRefusalOf(db, member.id)
  if (refusal) yield presentRefusal(refusal)
}

async function* readMails({ db, member }: Source) {
  for (const { kind, state, created_at, sent_at } of await listMailsOf(db, member))
    yield { kind, state, createdAt: created_at.toISOString(), sentAt: sent_at?.toISOString() ?? null }
}

async function* readNotifications({ db, member }: Source) {
  for (const { kind, area, path, reference, created_at, seen_at } of await listAllNotifications(
    db,
    member.id,
  ))
    yield {
      kind,
      area,
      path,
      order: reference,
      createdAt: created_at.toISOString(),
      seenAt: seen_at?.toISOString() ?? null,
    }
}

async function* readMuted({ db, member }: Source) {
  for (const { area, since } of await listMutedAreas(db, member.id))
    yield { area, since: since.toISOString() }
}
