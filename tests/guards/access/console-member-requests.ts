import { sql } from 'kysely'
import { updateMemberRow } from '#api/members/member.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

const reason = 'As the member asked by telephone.'
const ofOwner = async ({ owner }: Scene) => ({ params: { id: owner.id } })
const withReason = async ({ owner }: Scene) => ({ params: { id: owner.id }, body: { reason } })
const withoutBody = async ({ owner }: Scene) => ({ params: { id: owner.id }, body: null })

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

/** Actions of staff on members in the console. */
export const consoleMemberRequests = {
  listConsoleMembers: async () => ({}),
  exportConsoleMembers: async () => ({}),
  getConsoleMember: ofOwner,
  readMemberTimeline: ofOwner,
  setMemberActive: async ({ owner }: Scene) => ({
    params: { id: owner.id },
    body: { active: false, reason },
  }),
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
  clearMailboxRefusal: withoutBody,
  addMemberNote: async ({ owner }: Scene) => ({ params: { id: owner.id }, body: { text: 'Called back.' } }),
  removeMemberNote: async ({ started: { services }, owner, actor }: Scene) => {
    const { id } = await services.db
      .insertInto('member_note')
      .values({ member_id: owner.id, author_id: actor.id, text: 'Called back.' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { params: { id: owner.id, noteId: id } }
  },
  offerMemberExport: withReason,
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
