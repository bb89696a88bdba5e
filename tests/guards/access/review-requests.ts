import { hashSecret, randomSecret } from '#api/platform/keys.ts'
import { bindHandoff, insertHandoff } from '#api/people/kyc/handoff/handoff.queries.ts'
import { findAnyKyc } from '#api/people/kyc/kyc.queries.ts'
import { markFinal } from '#api/people/kyc/review/case.queries.ts'
import { screenCase } from '#api/people/kyc/screening/screen-case.ts'
import { stagePhoto } from '#api/people/kyc/upload-photo.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { anApplication, aNote, aPicture } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

/** Requests of reviewers on identity cases. */
export const reviewRequests = {
  listKycCases: async () => ({ query: { status: 'submitted' as const, q: 'sample' } }),
  listKycReasons: async () => ({}),
  readKycStatistics: async () => ({}),
  getKycCase: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
  }),
  listKycCaseEvents: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
  }),
  exportKycCase: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
  }),
  listKycCaseReaders: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
  }),
  addKycCaseNote: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
    body: { text: 'Called back.' },
  }),
  removeKycCaseNote: async ({ started, owner, actor }: Scene) => {
    const { _id: id } = await anApplication(started, owner)
    return { params: { id, noteId: await aNote(started, actor.id, { kind: 'kyc', id }) } }
  },
  assignKycCase: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
    body: { to: 'me' as const },
  }),
  assignKycCases: async ({ started, owner }: Scene) => ({
    body: {
      isPreview: false,
      rows: [{ id: (await anApplication(started, owner))._id }],
      to: 'me' as const,
    },
  }),
  reviewKycPhoto: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id, n: 0 },
    // Any other verdict requires that the same reviewer has viewed the photo.
    body: { verdict: 'open' as const, round: 1 },
  }),
  readKycScreening: async ({ started, owner }: Scene) => {
    const { _id: id } = await anApplication(started, owner)
    const row = await findAnyKyc(started.services.db, id)
    const { hash } = await screenCase(started.services.db, started.services, row!)
    return { params: { id }, body: { hash } }
  },
  decideKycCase: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
    body: { status: 'rejected' as const, reason: 'Unreadable.' },
  }),
  reverseKycRejection: async ({ started, owner }: Scene) => {
    const { _id } = await anApplication(started, owner, 'rejected')
    await markFinal(started.services.db, _id)
    return { params: { id: _id }, body: { reason: 'A mistake.' } }
  },
}

/** A device link of the owner. With `isOpen`, a phone has its secret. */
async function aHandoff({ started: { services }, owner }: Scene, isOpen: boolean) {
  const { db } = services
  const { id: sessionId } = await db
    .insertInto('session')
    .values({
      member_id: owner.id,
      refresh_hash: randomSecret(32),
      xsrf_hash: randomSecret(32),
      idle_ms: HOUR,
      expires_at: new Date(Date.now() + HOUR),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [link, secret] = [randomSecret(32), randomSecret(32)]
  const made = { memberId: owner.id, sessionId, linkHash: hashSecret(link), room: 2 }
  const { id } = await insertHandoff(db, made)
  if (isOpen) await bindHandoff(db, hashSecret(link), hashSecret(secret), '')
  return { id, link, secret }
}

/** Requests of the phone carry its secret. Anyone who has the secret can send them. */
export const handoffRequests = {
  createHandoff: async () => ({ body: { room: 8 } }),
  getHandoff: async () => ({}),
  endHandoff: async () => ({ body: null }),
  openHandoff: async (scene: Scene) => {
    const { link, secret } = await aHandoff(scene, false)
    return { body: { link, secret } }
  },
  stageHandoffPhoto: async (scene: Scene) => ({
    body: { photo: await aPicture() },
    phoneSecret: (await aHandoff(scene, true)).secret,
  }),
  deleteHandoffPhoto: async (scene: Scene) => {
    const { id, secret } = await aHandoff(scene, true)
    const photo = await stagePhoto(await aPicture(), scene.owner.id, scene.started.services, id)
    return { params: { id: photo.id }, phoneSecret: secret }
  },
  closeHandoff: async (scene: Scene) => ({ body: null, phoneSecret: (await aHandoff(scene, true)).secret }),
}
