import { anAmbassador, aSubmittedProfile, aWrittenProfile } from '#tests/ambassadors.ts'
import type { Scene } from './requests.ts'

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
