import { collectHandlers, type Module } from '../module.ts'
import * as applicationNotes from './applications/application-notes.ts'
import * as assignApplication from './applications/assign-application.ts'
import * as decideApplication from './applications/decide-application.ts'
import * as eraseApplication from './applications/erase-application.ts'
import * as readApplications from './applications/read-applications.ts'
import * as boardHandlers from './profiles/profile-review-handlers.ts'
import * as ownAmbassador from './profiles/own-ambassador.ts'
import * as publicHandlers from './profiles/public-handlers.ts'
import * as saveProfile from './profiles/save-profile.ts'
import * as readResults from './results/read-results.ts'
import { readInvitations } from './results/read-invitations.ts'
import { deleteOldCountedMailboxes, deleteInvitedMember } from './results/invitation.queries.ts'
import {
  deleteApplicationsOf,
  deleteDeclinedApplications,
  findApplicationsOf,
  releaseApplicationsOf,
} from './applications/application.queries.ts'
import * as applyAsAmbassador from './applications/apply-as-ambassador.ts'
import { eraseExpiredInvitations } from './applications/erase-invitation.ts'
import { exportOwnApplications } from './applications/export-own-applications.ts'
import { keyCountries } from './applications/country-key.ts'
import * as readStatus from './applications/read-status.ts'
import { deleteDeadStatusLinks } from './applications/status-link.queries.ts'
import { findAmbassadorOfMember } from './profiles/ambassador.queries.ts'
import { reserveSlugsOfContent } from './profiles/assign-slug.ts'
import { eraseAmbassador, readOwnProfile } from './profiles/ambassador-profiles.ts'

/** Applications to the ambassador program. They belong to an address, with or without an account. */
export const ambassadors = {
  calls: collectHandlers(
    applyAsAmbassador,
    readStatus,
    applicationNotes,
    assignApplication,
    decideApplication,
    eraseApplication,
    readApplications,
    boardHandlers,
    ownAmbassador,
    publicHandlers,
    saveProfile,
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
      ambassador_note: { author_id: 'remains', text: 'erased' },
      ambassador_status_link: { code_hash: 'erased' },
      invited_member: { member_id: 'erased', flags: 'erased' },
      ambassador_point: { member_id: 'erased' },
      counted_mailbox: { mailbox_hash: 'expires' },
    },
    parts: {
      ambassadorApplications: { isList: true, read: exportOwnApplications },
      ambassador: { isList: true, read: readOwnProfile },
      invitation: { isList: true, read: readInvitations },
    },
    erases: {
      ambassador: async (db, { id }) =>
        (await findAmbassadorOfMember(db, id)) !== undefined || (await findApplicationsOf(db, id)).length > 0,
    },
    erase: async (db, { id }) => {
      await deleteInvitedMember(db, id)
      await deleteApplicationsOf(db, id)
      await eraseAmbassador(db, id)
      await releaseApplicationsOf(db, id)
    },
  },
  cleanUp: {
    declinedAmbassadors: ({ db, config }) => deleteDeclinedApplications(db, config.ambassadorRetention),
    unansweredAmbassadors: eraseApplication.eraseUnanswered,
    untakenInvitations: ({ db, config }) => eraseExpiredInvitations(db, config.ambassadorRetention),
    addressesOfContent: (services) => reserveSlugsOfContent(services),
    deadStatusLinks: ({ db }) => deleteDeadStatusLinks(db),
    countriesOfAmbassadors: ({ db }) => keyCountries(db),
    oldCountedMailboxes: ({ db }) => deleteOldCountedMailboxes(db),
  },
} satisfies Module
