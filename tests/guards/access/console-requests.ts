import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Api, EndpointName } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { upsertView } from '#api/console/views/console-view.queries.ts'
import { transaction } from '#api/platform/db/database.ts'
import { hashSecret } from '#api/platform/keys.ts'
import { sendMail } from '#api/platform/mail/send-mail.ts'
import { getMemberById, insertOrFindMember, updateMemberRow } from '#api/people/members/member.queries.ts'
import { beginCheck, finishCheck } from '#api/console/record/verification.queries.ts'
import { whenVerified } from '#api/console/record/verify-record.ts'
import { stopLinkOf } from '#api/people/sessions/lost-factors/end-lost-factor.ts'
import { insertLostFactor, markOpened } from '#api/people/sessions/lost-factors/lost-factor.queries.ts'
import { confirmTotpOfMember, insertTotp } from '#api/people/sessions/second-factor.queries.ts'
import { findEmailChange, holdEmailChange } from '#api/people/accounts/email-change.queries.ts'
import { stopEmailChangeLink } from '#api/people/accounts/email-correction.ts'
import { insertInvitation } from '#api/people/accounts/staff-invitation.queries.ts'
import { aMention, aNote, aSignedInMember, anEmail } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

const aView = () => ({
  list: 'orders',
  name: `View ${randomUUID()}`,
  query: 'status=pending',
  isShared: false,
})
const aStoredView = async ({ started, actor }: Scene) =>
  (await upsertView(started.services.db, actor.id, aView())).id

/** Views belong to the caller. Another test asserts that other people's views are not found. */
export const consoleRequests = {
  listNeedsAttention: async () => ({}),
  readDashboardMetrics: async () => ({}),
  readNotificationSettings: async () => ({}),
  saveNotificationSettings: async () => ({ body: { muted: ['mails_failed' as const], hasDigest: true } }),
  markNotificationsSeen: async () => ({ body: null }),
  setConsoleStart: async () => ({ body: { opensConsole: true } }),
  readSetup: async () => ({}),
  skipSetupStep: async () => ({ params: { step: 'backup' as const }, body: { isSkipped: true } }),
  listConsoleViews: async () => ({ query: { list: 'orders' } }),
  countConsoleViews: async () => ({ query: { list: 'orders' } }),
  saveConsoleView: async () => ({ body: aView() }),
  renameConsoleView: async (scene) => ({
    params: { id: await aStoredView(scene) },
    body: { name: `View ${randomUUID()}` },
  }),
  deleteConsoleView: async (scene) => ({ params: { id: await aStoredView(scene) } }),
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }

/** The administrator's access to the audit log and the health of the program. */
export const recordRequests = {
  listRecord: async () => ({ query: { what: 'changes' as const } }),
  exportRecord: async () => ({}),
  verifyRecord: async () => ({ body: {} }),
  getVerification: async () => ({}),
  exportRecordHead: async ({ started, owner }: Scene) => {
    const { db } = started.services
    await whenVerified()
    const id = await beginCheck(db, owner.id)
    if (id) await finishCheck(db, id, { checked: 1, head: Buffer.from('ab', 'hex') })
    return {}
  },
  readHealth: async () => ({}),
  // Turning it on would refuse all other requests.
  setMaintenance: async () => ({ body: { isOn: false } }),
}

const reason = 'As the member asked by telephone.'
const ofOwner = async ({ owner }: Scene) => ({ params: { id: owner.id } })
const withReason = async ({ owner }: Scene) => ({ params: { id: owner.id }, body: { reason } })
const withoutBody = async ({ owner }: Scene) => ({ params: { id: owner.id }, body: null })

/** The owner sets up an authenticator app. */
async function aFactor({ started: { services }, owner }: Scene): Promise<void> {
  const sealed = services.keys.seal('second factor', owner.id, 'JBSWY3DPEHPK3PXP')
  await insertTotp(services.db, owner.id, sealed)
  await confirmTotpOfMember(services.db, owner.id)
}

async function openErasure({ started, owner }: Scene): Promise<void> {
  const opener = await aSignedInMember(started, { manage_employee: 2 })
  await started.services.db
    .insertInto('erasure_request')
    .values({
      member_id: owner.id,
      opened_by: opener.id,
      reason,
      opened_at: sql`now() - interval '25 hours'`,
    })
    .execute()
}

/** A change of the address that staff started. Resolves to the code in the link to the new address. */
async function aCorrection({ started, owner }: Scene): Promise<string> {
  const opener = await aSignedInMember(started, { manage_employee: 2 })
  const code = `code of ${owner.id}`
  await holdEmailChange(started.services.db, {
    memberId: owner.id,
    newEmail: anEmail(),
    codeHash: hashSecret(code),
    life: DAY,
    openedBy: opener.id,
  })
  return code
}

/** An invitation of an address without an account. */
const anInvitation = ({ started: { services }, owner }: Scene) =>
  transaction(services.db, async (db) => {
    const member = await insertOrFindMember(db, anEmail(), 'en')
    const rights = {
      isWriteAccessAdmin: false,
      manageNews: 1,
      manageEmployee: 0,
      manageFinance: 0,
      manageCoins: 0,
    } as const
    return insertInvitation(db, { member, rights, inviterId: owner.id, life: DAY })
  })

/** Actions of staff on members in the console. */
export const consoleMemberRequests = {
  listConsoleMembers: async () => ({}),
  exportConsoleMembers: async () => ({}),
  getConsoleMember: ofOwner,
  readMemberTimeline: ofOwner,
  readMemberOrderTotals: ofOwner,
  setMemberActive: async ({ owner }: Scene) => ({
    params: { id: owner.id },
    body: { active: false, reason },
  }),
  listStaffInvitations: async () => ({}),
  createStaffInvitation: async () => ({
    body: { email: anEmail(), language: 'en' as const, manageNews: 1 as const },
  }),
  resendStaffInvitation: async (scene: Scene) => ({ params: { id: await anInvitation(scene) }, body: null }),
  revokeStaffInvitation: async (scene: Scene) => ({ params: { id: await anInvitation(scene) }, body: null }),
  setMemberRights: async ({ owner }: Scene) => ({
    params: { id: owner.id },
    body: { manageNews: 1 as const, reason },
  }),
  resendMemberActivation: async ({ started: { services }, owner, actor }: Scene) => {
    // A member who is not active has no session either.
    if (owner.id !== actor.id)
      await updateMemberRow(services.db, owner.id, { active: false, password_hash: null })
    return { params: { id: owner.id }, body: null }
  },
  sendMemberReset: withoutBody,
  endMemberSessions: withoutBody,
  resendMemberActivations: async ({ owner }: Scene) => onOne(owner.id),
  endSessionsOfMembers: async ({ owner }: Scene) => onOne(owner.id),
  clearMailboxRefusal: withoutBody,
  assignMember: async ({ owner }: Scene) => ({
    params: { id: owner.id },
    body: { to: null, from: null },
  }),
  assignMembers: async ({ owner }: Scene) => ({
    body: { isPreview: false, rows: [{ id: owner.id }], to: null },
  }),
  listMemberColleagues: async () => ({}),
  correctMemberEmail: async ({ owner }: Scene) => ({
    params: { id: owner.id },
    body: { email: anEmail(), reason },
  }),
  cancelMemberEmailChange: async (scene: Scene) => {
    await aCorrection(scene)
    return { params: { id: scene.owner.id } }
  },
  confirmNewEmail: async (scene: Scene) => ({ body: { id: scene.owner.id, code: await aCorrection(scene) } }),
  stopEmailChange: async (scene: Scene) => {
    await aCorrection(scene)
    const { db, keys, config } = scene.started.services
    const member = await getMemberById(db, scene.owner.id)
    const link = stopEmailChangeLink(keys, config, member, (await findEmailChange(db, member.id))!)
    return { body: { id: member.id, code: decodeURIComponent(link.split('/').at(-1)!) } }
  },
  listMemberReaders: ofOwner,
  listMentions: async () => ({}),
  markMentionSeen: async ({ started, owner, actor }: Scene) => {
    const { id: author } = await aSignedInMember(started)
    const noteId = await aNote(started, author, { kind: 'member', id: owner.id })
    return { params: { id: await aMention(started, noteId, actor.id) }, body: null }
  },
  addMemberNote: async ({ owner }: Scene) => ({ params: { id: owner.id }, body: { text: 'Called back.' } }),
  removeMemberNote: async ({ started, owner, actor }: Scene) => {
    const id = await aNote(started, actor.id, { kind: 'member', id: owner.id })
    return { params: { id: owner.id, noteId: id } }
  },
  offerMemberExport: withReason,
  offerMemberRecovery: async (scene: Scene) => {
    await aFactor(scene)
    return withReason(scene)
  },
  openMemberErasure: withReason,
  confirmMemberErasure: async (scene: Scene) => {
    await openErasure(scene)
    return { params: { id: scene.owner.id }, body: null }
  },
  cancelMemberErasure: async (scene: Scene) => {
    await openErasure(scene)
    return { params: { id: scene.owner.id } }
  },
}

/** The input of an action on several rows, for one. */
const onOne = (id: string) => ({ body: { isPreview: false, rows: [{ id }] } })

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
  sendMailsAgain: async (scene: Scene) => onOne(await aMail(scene)),
  stopMails: async (scene: Scene) => onOne(await aMail(scene)),
  sendTestMail: async () => ({ body: null }),
  setMailDelivery: async () => ({ body: { paused: true } }),
}

async function aLostFactor({ started, owner }: Scene): Promise<string> {
  const { id } = await insertLostFactor(started.services.db, owner.id)
  return id
}

/** The members' recovery requests, and the actions of staff on them. */
export const lostFactorRequests = {
  requestAccountRecovery: async (scene: Scene) => {
    const { owner } = scene
    await aFactor(scene)
    return { body: { email: owner.email, password: owner.password } }
  },
  cancelRecoveryRequest: async (scene: Scene) => {
    const id = await aLostFactor(scene)
    const { keys, config } = scene.started.services
    const code = decodeURIComponent(stopLinkOf(keys, config, id, scene.owner.email).split('/').at(-1)!)
    return { body: { id, code } }
  },
  listRecoveryRequests: async () => ({}),
  verifyRecoveryRequest: async (scene: Scene) => ({
    body: { id: await aLostFactor(scene), how: 'In person, with the passport of the application.' },
  }),
  approveRecoveryRequest: async (scene: Scene) => {
    const id = await aLostFactor(scene)
    const opener = await aSignedInMember(scene.started, { manage_employee: 2 })
    await markOpened(scene.started.services.db, id, opener.id, 'In person.')
    return { body: { id } }
  },
  rejectRecoveryRequest: async (scene: Scene) => ({ body: { id: await aLostFactor(scene) } }),
}
