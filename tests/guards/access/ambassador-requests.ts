import { transaction } from '#api/platform/db/database.ts'
import {
  insertOrReplacePending,
  insertStatusLink,
} from '#api/people/ambassadors/applications/application.queries.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { hashSecret, randomSecret } from '#api/platform/keys.ts'
import { anAmbassador, aSubmittedProfile, aWrittenProfile } from '#tests/ambassadors.ts'
import { anEmail, aNote } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

const insertApplication = ({ started: { services } }: Scene) =>
  transaction(services.db, (db) =>
    insertOrReplacePending(db, {
      email: anEmail(),
      full_name: 'Somebody',
      city: 'Oslo',
      country: 'Norway',
      country_key: 'NO',
      language: 'en',
    }),
  )

async function anApplication(scene: Scene, status: 'received' | 'in_review' = 'received') {
  const id = await insertApplication(scene)
  const { updated_at } = await scene.started.services.db
    .updateTable('ambassador_application')
    .set({ status })
    .where('id', '=', id)
    .returning('updated_at')
    .executeTakeFirstOrThrow()
  return { params: { id }, lastUpdated: updated_at.toISOString() }
}

async function asRead(scene: Scene, status?: 'in_review') {
  const { params, lastUpdated } = await anApplication(scene, status)
  return { params, body: { lastUpdated } }
}

const declining = { reason: 'Enough of us there.', isReasonTold: true }

/** Applications of ambassadors, on the site and in the console. */
export const ambassadorRequests = {
  readAmbassadorStatus: async (scene: Scene) => {
    const code = randomSecret(24)
    await insertStatusLink(scene.started.services.db, await insertApplication(scene), hashSecret(code), HOUR)
    return { body: { code } }
  },
  listAmbassadorApplications: async () => ({}),
  readApplicationBoard: async () => ({}),
  listApplicationCountries: async () => ({}),
  listApplicationColleagues: async () => ({}),
  exportAmbassadorApplications: async () => ({}),
  getAmbassadorApplication: async (scene: Scene) => ({ params: (await anApplication(scene)).params }),
  reviewAmbassadorApplication: (scene: Scene) => asRead(scene),
  assignAmbassadorApplication: async (scene: Scene) => {
    const { params, body } = await asRead(scene)
    return { params, body: { ...body, to: null } }
  },
  acceptAmbassadorApplication: (scene: Scene) => asRead(scene, 'in_review'),
  declineAmbassadorApplication: async (scene: Scene) => {
    const { params, body } = await asRead(scene)
    return { params, body: { ...body, ...declining } }
  },
  declineAmbassadorApplications: async (scene: Scene) => {
    const { params, lastUpdated } = await anApplication(scene)
    const rows = [{ id: params.id, version: lastUpdated }]
    return { body: { isPreview: false, rows, ...declining } }
  },
  assignAmbassadorApplications: async (scene: Scene) => {
    const { params, lastUpdated } = await anApplication(scene)
    return { body: { isPreview: false, rows: [{ id: params.id, version: lastUpdated }], to: null } }
  },
  eraseAmbassadorApplication: async (scene: Scene) => ({ params: (await anApplication(scene)).params }),
  listApplicationReaders: async (scene: Scene) => ({ params: (await anApplication(scene)).params }),
  addApplicationNote: async (scene: Scene) => ({
    params: (await anApplication(scene)).params,
    body: { text: 'Called back.' },
  }),
  removeApplicationNote: async (scene: Scene) => {
    const { params } = await anApplication(scene)
    const id = await aNote(scene.started, scene.actor.id, { kind: 'ambassador-application', id: params.id })
    return { params: { ...params, noteId: id } }
  },
}

const reason = 'The picture shows somebody else.'

async function aSubmission({ started }: Scene) {
  const ambassador = await anAmbassador(started)
  const submitted = await aSubmittedProfile(started, ambassador)
  return { id: ambassador.id, basedOn: submitted.updated_at.toISOString() }
}

async function aPublicAmbassador({ started }: Scene) {
  const ambassador = await anAmbassador(started)
  await aSubmittedProfile(started, ambassador, { isApproved: true })
  return ambassador
}

/** Profiles of ambassadors: the ambassador's requests, those of staff, and public ones. */
export const ambassadorProfileRequests = {
  listAmbassadors: async () => ({}),
  getAmbassador: async (scene: Scene) => ({ params: { slug: (await aPublicAmbassador(scene)).slug } }),
  getOwnAmbassador: async () => ({}),
  joinAsAmbassador: async ({ started, actor }: Scene) => {
    await anAmbassador(started, { email: actor.email })
    return { body: null }
  },
  saveAmbassadorProfile: async ({ started, actor }: Scene) => {
    await anAmbassador(started, { memberId: actor.id })
    return { body: { ...aWrittenProfile, basedOn: null, submit: false } }
  },
  getAmbassadorResults: async ({ started, actor }: Scene) => {
    await anAmbassador(started, { memberId: actor.id })
    return {}
  },
  listConsoleAmbassadors: async () => ({}),
  getConsoleAmbassador: async ({ started }: Scene) => ({ params: { id: (await anAmbassador(started)).id } }),
  approveAmbassadorProfile: async (scene: Scene) => {
    const { id, basedOn } = await aSubmission(scene)
    return { params: { id }, body: { basedOn, en: aWrittenProfile.en, cn: aWrittenProfile.cn } }
  },
  returnAmbassadorProfile: async (scene: Scene) => {
    const { id, basedOn } = await aSubmission(scene)
    return { params: { id }, body: { basedOn, reason } }
  },
  setAmbassadorOrder: async (scene: Scene) => ({
    params: { id: (await aPublicAmbassador(scene)).id },
    body: { place: 1 },
  }),
  setAmbassadorStatus: async (scene: Scene) => ({
    params: { id: (await aPublicAmbassador(scene)).id },
    body: { from: 'active' as const, to: 'hidden' as const, reason },
  }),
}
