import brand from '#content/brand.json' with { type: 'json' }
import type { Api, EndpointName } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import type { PasskeyCreation } from '#contract/people/webauthn.ts'
import { hashSecret } from '#api/platform/keys.ts'
import { stagePhoto } from '#api/people/kyc/upload-photo.ts'
import { holdEmailChange } from '#api/people/accounts/email-change.queries.ts'
import { holdMailboxCode } from '#api/people/members/mailbox-code.queries.ts'
import { insertResetCode } from '#api/people/accounts/reset-code.queries.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { newChallenge, partyOf, requestWith } from '#api/people/sessions/passkeys/challenge.ts'
import { handleOf } from '#api/people/sessions/passkeys/verify-passkey.ts'
import { insertPasskey } from '#api/people/sessions/passkeys/passkey.queries.ts'
import { totpOf } from '#api/people/sessions/second-factor.ts'
import { codeOfReminder } from '#api/money/sale/sale-reminders.ts'
import { confirmTotpOfMember, insertTotp } from '#api/people/sessions/second-factor.queries.ts'
import { anApplicant, anApplication, anEmail, aPicture, goodPassword, signUp } from '#tests/builders.ts'
import {
  consoleMemberRequests,
  consoleRequests,
  lostFactorRequests,
  mailRequests,
  recordRequests,
} from './console-requests.ts'
import { tokenRequests, webhookRequests } from './webhook-requests.ts'
import { ambassadorProfileRequests, ambassadorRequests } from './ambassador-requests.ts'
import { aPasskeyDevice } from '#tests/passkey-device.ts'
import type { TestApi } from '#tests/setup/start-api.ts'
import type { StoredMember } from '#tests/stored-members.ts'
import { contentRequests } from './content-requests.ts'
import { newsletterRequests, newsRequests } from './news-requests.ts'
import { conversationRequests } from './conversation-requests.ts'
import { deliveryRequests } from './delivery-requests.ts'
import { payoutRequests } from './payout-requests.ts'
import { notificationRequests } from './notification-requests.ts'
import { officialRequests } from './official-requests.ts'
import { handoffRequests, reviewRequests } from './review-requests.ts'
import { orderRequests, saleRequests, withdrawalRequests } from './order-requests.ts'

/** `owner` owns the record that is acted on. It is the actor if members act on their own records. */
export type Scene = { started: TestApi; actor: StoredMember; owner: StoredMember }

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const isOwn = ({ actor, owner }: Scene) => actor.id === owner.id

const beginFactor = ({ started, actor }: Scene) =>
  insertTotp(started.services.db, actor.id, started.services.keys.seal('second factor', actor.id, secret))

/** Marks the actor's session as having proved the factor that is inserted directly. */
const proveFactor = ({ started, actor }: Scene) =>
  started.services.db
    .updateTable('session')
    .set({ has_proved_factor: true })
    .where('member_id', '=', actor.id)
    .execute()

async function aConfirmedFactor(scene: Scene): Promise<void> {
  await beginFactor(scene)
  await confirmTotpOfMember(scene.started.services.db, scene.actor.id)
  await proveFactor(scene)
}

const creationFor = async ({ services }: TestApi, memberId: string): Promise<PasskeyCreation> => ({
  challenge: await newChallenge(services.db, 'create', memberId),
  rp: partyOf(services.config),
  user: { id: handleOf(memberId), name: '', displayName: '' },
  pubKeyCredParams: [],
  timeout: 0,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
})

/** Inserted directly, because a factor added through the API ends sessions without one. */
async function aStoredPasskey(scene: Scene) {
  const { started, owner } = scene
  const device = aPasskeyDevice(owner.id)
  const { id } = await insertPasskey(started.services.db, {
    memberId: owner.id,
    credentialId: device.credentialId,
    publicKey: device.publicKey,
    signCount: 0,
    transports: [],
    name: 'Laptop',
    synced: false,
  })
  await proveFactor(scene)
  return { id, device }
}

/** Real records and a valid input for each request, so that an authorized caller succeeds. */
export const requests: { [Name in EndpointName]: (scene: Scene) => Promise<CallOf<Api[Name]>> } = {
  checkHealth: async () => ({}),
  checkReadiness: async () => ({}),
  readWords: async () => ({ query: { language: 'en' as const, files: 'layout,home' } }),
  readFacts: async () => ({ query: { files: 'facts/roadmap.json,documents' } }),
  readBrand: async () => ({}),
  readWhitePaper: async () => ({}),
  findApp: async () => ({ body: { fullName: brand.name } }),

  createMember: async () => ({ body: { email: anEmail(), password: goodPassword } }),
  resendActivation: async () => ({ body: { email: anEmail() } }),
  activateMember: async ({ started }) => {
    const email = anEmail()
    const { code } = await signUp(started, email)
    return { params: { email, code } }
  },
  requestPasswordReset: async ({ owner }) => ({ body: { email: owner.email } }),
  checkPasswordReset: async ({ started, owner }) => {
    const code = `code to look at of ${owner.id}`
    await insertResetCode(started.services.db, owner.id, hashSecret(code), HOUR)
    return { body: { id: owner.id, pwdresetcode: code } }
  },
  executePasswordReset: async ({ started, owner }) => {
    const code = `code of ${owner.id}`
    await insertResetCode(started.services.db, owner.id, hashSecret(code), HOUR)
    return { body: { id: owner.id, pwdresetcode: code, passwd: 'another good password' } }
  },
  changePassword: async () => ({ body: { passwd: 'another good password', current: goodPassword } }),
  confirmEmail: async ({ started, actor }) => {
    await holdEmailChange(started.services.db, {
      memberId: actor.id,
      newEmail: anEmail(),
      codeHash: hashSecret('C0DE5'),
      life: HOUR,
    })
    return { body: { code: 'c0de5' } }
  },
  readAdministratorLink: async () => ({}),
  sendAdministratorLink: async () => ({ body: null }),
  requestVerificationCode: async ({ started, actor }) => {
    await updateMemberRow(started.services.db, actor.id, { address_proved_at: null })
    return { body: null }
  },
  verifyEmail: async ({ started, actor }) => {
    await holdMailboxCode(started.services.db, actor.id, hashSecret('C0DE5'), HOUR)
    return { body: { code: 'c0de5' } }
  },
  findMember: async ({ owner }) => ({ body: { email: owner.email } }),
  findMembers: async ({ owner }) => ({ body: { email: owner.email } }),
  listMembers: async () => ({}),
  getMember: async ({ owner }) => ({ params: { id: owner.id } }),
  updateMember: async ({ owner }) => ({ body: { id: owner.id, displayName: 'Another name' } }),
  exportMember: async () => ({}),
  eraseMember: async ({ started, actor }) => {
    // Another administrator must remain, because the last one cannot delete the account.
    await started.services.db
      .insertInto('member')
      .values({ email: anEmail(), active: true, is_write_access_admin: true })
      .execute()
    return { body: { current: actor.password } }
  },

  previewErasure: async () => ({}),
  listConsents: async () => ({}),
  acceptConsents: async () => ({
    body: { consents: [{ document: 'terms' as const, version: brand.legal.terms }] },
  }),
  getAntiPhishingPhrase: async () => ({}),
  setAntiPhishingPhrase: async () => ({ body: { phrase: 'Two grey herons' } }),

  signIn: async ({ owner }) => ({ body: { email: owner.email, password: owner.password } }),
  restoreSession: async () => ({ body: null }),
  signOut: async () => ({ body: null }),
  listSessions: async () => ({}),
  revokeSession: async ({ started, owner }) => {
    const { id } = await started.services.db
      .selectFrom('session')
      .select('id')
      .where('member_id', '=', owner.id)
      .executeTakeFirstOrThrow()
    return { params: { id } }
  },
  beginTotp: async () => ({ body: null }),
  confirmTotp: async (scene) => {
    await beginFactor(scene)
    return { body: { code: totpOf(secret).generate() } }
  },
  removeTotp: async (scene) => {
    await aConfirmedFactor(scene)
    return { body: { code: totpOf(secret).generate() } }
  },
  revokeOtherSessions: async () => ({ body: null }),
  beginStepUp: async () => ({ body: null }),
  stepUp: async ({ actor }) => ({ body: { password: actor.password } }),
  checkStepUp: async () => ({ body: null }),
  getFactors: async () => ({}),
  renewRecoveryCodes: async (scene) => {
    await aConfirmedFactor(scene)
    return { body: null }
  },

  listPasskeys: async () => ({}),
  beginPasskey: async () => ({ body: null }),
  finishPasskey: async ({ started, actor }) => ({
    body: { credential: aPasskeyDevice(actor.id).make(await creationFor(started, actor.id)) },
  }),
  renamePasskey: async (scene) => ({ body: { id: (await aStoredPasskey(scene)).id, name: 'Phone' } }),
  removePasskey: async (scene) => ({ params: { id: (await aStoredPasskey(scene)).id } }),
  beginPasskeySignIn: async () => ({ body: null }),
  finishPasskeySignIn: async (scene) => {
    const { device } = await aStoredPasskey(scene)
    const { db, config } = scene.started.services
    return {
      body: {
        credential: device.sign(requestWith(config, await newChallenge(db, 'sign_in', null))),
      },
    }
  },

  ...lostFactorRequests,
  ...consoleRequests,
  ...tokenRequests,
  ...consoleMemberRequests,
  ...mailRequests,
  ...webhookRequests,
  ...ambassadorRequests,

  ...ambassadorProfileRequests,
  applyAsAmbassador: async () => ({
    body: { email: anEmail(), fullName: 'Sample Person', city: 'Oslo', country: 'Norway' },
  }),

  ...newsRequests,
  ...newsletterRequests,
  ...contentRequests,

  ...orderRequests,
  ...withdrawalRequests,

  followOrders: async () => ({}),
  readMemberHome: async () => ({}),
  getSale: async () => ({}),
  readPublicSale: async () => ({}),
  requestSaleReminder: async () => ({ body: { email: anEmail(), language: 'en' } }),
  confirmSaleReminder: async ({ started: { services } }) => {
    const row = { email: anEmail(), language: 'en' as const }
    const { id } = await services.db
      .insertInto('sale_reminder')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    return { body: { code: codeOfReminder(services.keys, id) } }
  },
  cancelSaleReminder: async () => ({ body: { code: 'unknown.code' } }),
  ...saleRequests,

  readKycRequirements: async () => ({}),
  createKyc: async ({ actor }) => ({
    body: { ...anApplicant(actor.email), photoUrls: [await aPicture()] },
  }),
  stageKycPhoto: async () => ({ body: { photo: await aPicture() } }),
  deleteKycPhoto: async ({ started, owner }) => ({
    params: { id: (await stagePhoto(await aPicture(), owner.id, started.services)).id },
  }),
  listStagedKycPhotos: async () => ({}),
  getStagedKycPhoto: async ({ started, owner }) => ({
    params: { id: (await stagePhoto(await aPicture(), owner.id, started.services)).id },
  }),
  ...handoffRequests,
  getKycHistory: async ({ started, owner }) => ({
    params: { id: (await anApplication(started, owner))._id },
  }),
  getKyc: async ({ started, owner }) => ({ params: { id: (await anApplication(started, owner))._id } }),
  getKycPhoto: async ({ started, owner }) => ({
    params: { id: (await anApplication(started, owner))._id, n: 0 },
  }),
  listKyc: async () => ({}),
  listKycOfMember: async ({ owner }) => ({ body: { memberId: owner.id } }),
  findKyc: async ({ owner }) => ({ body: { memberId: owner.id } }),
  updateKyc: async (scene) => {
    const own = isOwn(scene)
    const { _id } = await anApplication(scene.started, scene.owner, own ? 'more_info' : 'submitted')
    return { body: own ? { _id, country: 'Norway' } : { _id, status: 'in_review' as const } }
  },
  ...reviewRequests,
  deleteKyc: async ({ started, owner }) => ({ body: { id: (await anApplication(started, owner))._id } }),

  ...officialRequests,
  ...conversationRequests,
  ...deliveryRequests,
  ...payoutRequests,
  ...notificationRequests,
  ...recordRequests,
}
