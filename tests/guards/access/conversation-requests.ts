import { api, type Api, type EndpointName } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { hashSecret } from '#api/platform/keys.ts'
import {
  insertAnswerLink,
  insertContact,
  insertMessage,
} from '#api/people/conversations/conversation.queries.ts'
import { insertReply } from '#api/people/conversations/saved-reply.queries.ts'
import { anEmail, aPicture } from '#tests/builders.ts'
import { aContact, aConversation, aSubject } from '#tests/conversations.ts'
import type { Scene } from './requests.ts'
import {
  anyone,
  employee1,
  employee2,
  finance1,
  finance2,
  signedIn,
  type Expectation,
} from './permissions.ts'

const readers = [...employee1, ...finance1]
const writers = [...employee2, ...finance2]

/**
 * Finance answers about orders and identity cases, and those who see members about accounts. The request of a role uses a
 * conversation that its level allows.
 */
export const conversationExpectations = {
  listConversations: { call: 'GET conversations', success: 200, may: signedIn },
  findConversation: { call: 'GET conversations/find', success: 200, may: signedIn },
  checkConversation: { call: 'GET conversations/version', success: 200, may: signedIn },
  sendMessage: { call: 'POST conversations/send', success: 201, may: signedIn },
  markConversationRead: {
    call: 'POST conversations/:id/read',
    success: 200,
    may: ['owner'],
    otherwise: 'not_found',
  },
  getAttachment: {
    call: 'GET conversation-attachments/:id',
    success: 200,
    may: ['owner'],
    otherwise: 'not_found',
  },
  contactStaff: { call: 'POST contact', success: 202, may: anyone },
  confirmContact: { call: 'POST contact/confirm', success: 200, may: anyone },
  continueContact: { call: 'POST contact/answer', success: 200, may: anyone },
  listConsoleConversations: { call: 'GET admin/conversations', success: 200, may: readers },
  checkConsoleConversation: {
    call: 'GET admin/conversations/:id/version',
    success: 200,
    may: readers,
  },
  getConsoleConversation: { call: 'GET admin/conversations/:id', success: 200, may: readers },
  startConversation: { call: 'POST admin/conversations/start', success: 201, may: writers },
  answerConversation: { call: 'POST admin/conversations/:id/answer', success: 200, may: writers },
  assignConversation: { call: 'POST admin/conversations/:id/assign', success: 200, may: writers },
  closeConversation: { call: 'POST admin/conversations/:id/close', success: 200, may: writers },
  revokeAnswerLinks: { call: 'POST admin/conversations/:id/revoke-links', success: 200, may: writers },
  addConversationNote: { call: 'POST admin/conversations/:id/notes', success: 200, may: writers },
  removeConversationNote: {
    call: 'DELETE admin/conversations/:id/notes/:noteId',
    success: 200,
    may: writers,
  },
  getConversationAttachment: {
    call: 'GET admin/conversations/:id/attachments/:attachmentId',
    success: 200,
    may: readers,
  },
  listSavedReplies: { call: 'GET admin/saved-replies', success: 200, may: readers },
  saveReply: { call: 'POST admin/saved-replies', success: 200, may: writers },
  deleteReply: { call: 'DELETE admin/saved-replies/:id', success: 200, may: writers },
} satisfies { [Name in EndpointName]?: Expectation }

/** What the actor’s level allows. */
async function areaOf({ started, actor }: Scene): Promise<'order' | 'account'> {
  const { manage_finance } = await started.services.db
    .selectFrom('member')
    .select('manage_finance')
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  return manage_finance > 0 ? 'order' : 'account'
}

const conversationOf = async (scene: Scene) => aConversation(scene.started, scene.owner, await areaOf(scene))

async function withAttachment(scene: Scene) {
  const { started, owner } = scene
  const about = await areaOf(scene)
  const subject = await aSubject(started, about, owner)
  const { body } = await started.call(
    api.sendMessage,
    { body: { ...subject, text: 'See the picture.', attachments: [await aPicture()] } },
    { token: owner.token, ip: owner.ip },
  )
  return { id: body.id, attachmentId: body.messages.at(-1)!.attachments[0]!.id }
}

const aReply = ({ started, actor }: Scene) =>
  insertReply(started.services.db, {
    title: 'Thanks',
    text_en: 'Thank you.',
    text_cn: '谢谢。',
    updated_by: actor.id,
  })

export const conversationRequests = {
  listConversations: async () => ({ query: {} }),
  findConversation: async () => ({ query: { about: 'account' as const } }),
  checkConversation: async () => ({ query: { about: 'account' as const } }),
  sendMessage: async () => ({ body: { about: 'account' as const, text: 'Hello' } }),
  markConversationRead: async (scene: Scene) => ({
    params: { id: (await conversationOf(scene)).id },
    body: null,
  }),
  getAttachment: async (scene: Scene) => ({ params: { id: (await withAttachment(scene)).attachmentId } }),
  contactStaff: async () => ({ body: { email: anEmail(), text: 'Hello' } }),
  confirmContact: async ({ started: { services } }: Scene) => {
    const code = anEmail()
    await insertContact(services.db, {
      email: anEmail(),
      name: '',
      language: 'en',
      code_hash: hashSecret(code),
    })
    return { body: { code } }
  },
  continueContact: async ({ started }: Scene) => {
    const code = anEmail()
    const { id } = await aContact(started)
    const link = { conversation_id: id, code_hash: hashSecret(code) }
    await insertAnswerLink(started.services.db, link, DAY)
    return { body: { code, text: 'Thank you.' } }
  },
  listConsoleConversations: async () => ({ query: { status: 'open' as const, q: 'sample@example.org' } }),
  checkConsoleConversation: async (scene: Scene) => ({ params: { id: (await conversationOf(scene)).id } }),
  getConsoleConversation: async (scene: Scene) => ({ params: { id: (await conversationOf(scene)).id } }),
  startConversation: async (scene: Scene) => {
    const { started, owner } = scene
    const about = await areaOf(scene)
    const { of = owner.id } = (await aSubject(started, about, owner)) as { of?: string }
    return { body: { about, of, text: 'Hello' } }
  },
  answerConversation: async (scene: Scene) => {
    const { id, updatedAt } = await conversationOf(scene)
    return { params: { id }, body: { text: 'Hello', updatedAt } }
  },
  assignConversation: async (scene: Scene) => {
    const { id, updatedAt } = await conversationOf(scene)
    return { params: { id }, body: { to: null, updatedAt } }
  },
  closeConversation: async (scene: Scene) => {
    const { id, updatedAt } = await conversationOf(scene)
    return { params: { id }, body: { updatedAt } }
  },
  revokeAnswerLinks: async (scene: Scene) => {
    const { id, updatedAt } = await conversationOf(scene)
    return { params: { id }, body: { updatedAt } }
  },
  addConversationNote: async (scene: Scene) => ({
    params: { id: (await conversationOf(scene)).id },
    body: { text: 'Called.' },
  }),
  removeConversationNote: async (scene: Scene) => {
    const { started, actor } = scene
    const { id } = await conversationOf(scene)
    const noteId = await insertMessage(started.services.db, {
      conversation_id: id,
      author: 'note',
      author_id: actor.id,
      text: 'Called.',
    })
    return { params: { id, noteId } }
  },
  getConversationAttachment: async (scene: Scene) => ({ params: await withAttachment(scene) }),
  listSavedReplies: async () => ({}),
  saveReply: async () => ({ body: { title: 'Thanks', en: 'Thank you.', cn: '谢谢。' } }),
  deleteReply: async (scene: Scene) => ({ params: { id: await aReply(scene) } }),
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
