import { collectHandlers, type Module } from '../../platform/module.ts'
import { deleteDeadStatusLinks, deleteDeclinedApplications } from './applications/application.queries.ts'
import { keyCountries } from './applications/country-key.ts'
import { eraseExpiredInvitations, eraseUnanswered } from './applications/erase-applications.ts'
import * as readApplications from './applications/read-applications.ts'
import * as receiveApplications from './applications/receive-applications.ts'
import * as reviewApplication from './applications/review-application.ts'
import {
  eraseMember,
  exportApplications,
  exportInvitations,
  exportProfile,
  isKnown,
} from './personal-data.ts'
import { reserveSlugsOfContent } from './profiles/assign-slug.ts'
import * as ownAmbassador from './profiles/own-ambassador.ts'
import * as profileReview from './profiles/profile-review-handlers.ts'
import * as publicHandlers from './profiles/public-handlers.ts'
import { deleteOldCountedMailboxes } from './results/invitation.queries.ts'
import * as readResults from './results/read-results.ts'

/** Applications to the ambassador program. They belong to an address, with or without an account. */
export const ambassadors = {
  calls: collectHandlers(
    receiveApplications,
    readApplications,
    reviewApplication,
    ownAmbassador,
    profileReview,
    publicHandlers,
    readResults,
  ),
  personal: {
    columns: {
      ambassador_application: {
        email: 'erased',
        full_name: 'erased',
        city: 'erased',
        country: 'erased',
        country_key: 'erased',
        social_media: 'erased',
        description: 'erased',
        reason: 'erased',
        assignee_id: 'erased',
        decided_by: 'remains',
        ambassador_id: 'erased',
      },
      ambassador: {
        email: 'erased',
        full_name: 'erased',
        member_id: 'erased',
        code: 'erased',
        slug: 'erased',
        reason: 'erased',
      },
      ambassador_profile: {
        name_en: 'erased',
        name_cn: 'erased',
        place_en: 'erased',
        place_cn: 'erased',
        sentence_en: 'erased',
        sentence_cn: 'erased',
        link: 'erased',
        languages: 'erased',
        picture: 'erased',
        reason: 'erased',
        decided_by: 'remains',
      },
      // A keyed hash, which reveals nothing without the name.
      ambassador_slug: { slug_hash: 'remains' },
      ambassador_step: { by_member_id: 'remains', to_member_id: 'remains' },
      ambassador_status_link: { code_hash: 'erased' },
      invited_member: { member_id: 'erased', flags: 'erased' },
      ambassador_point: { member_id: 'erased' },
      counted_mailbox: { mailbox_hash: 'expires' },
    },
    parts: {
      ambassadorApplications: { isList: true, read: exportApplications },
      ambassador: { isList: true, read: exportProfile },
      invitation: { isList: true, read: exportInvitations },
    },
    erases: { ambassador: (db, { id }) => isKnown(db, id) },
    erase: (db, { id }) => eraseMember(db, id),
  },
  cleanUp: {
    declinedAmbassadors: ({ db, config }) => deleteDeclinedApplications(db, config.ambassadorRetention),
    unansweredAmbassadors: eraseUnanswered,
    untakenInvitations: eraseExpiredInvitations,
    addressesOfContent: reserveSlugsOfContent,
    deadStatusLinks: ({ db }) => deleteDeadStatusLinks(db),
    countriesOfAmbassadors: ({ db }) => keyCountries(db),
    oldCountedMailboxes: ({ db }) => deleteOldCountedMailboxes(db),
  },
} satisfies Module
