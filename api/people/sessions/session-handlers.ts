import type { api } from '#contract/api.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { deleteOtherSessions, deleteSessionOfMember, listSessionsOfMember } from './session.queries.ts'

export const signOut: Handler<typeof api.signOut> = async (_, { db, caller, answer }) => {
  await deleteSessionOfMember(db, caller.memberId, caller.sessionId)
  answer.clearSessionCookies()
  return { signedOut: true }
}

export const listSessions: Handler<typeof api.listSessions> = async (_, { db, caller }) => {
  const sessions = await listSessionsOfMember(db, caller.memberId)
  return sessions.map((session) => ({
    id: session.id,
    device: session.device,
    place: session.place,
    createdAt: session.created_at.toISOString(),
    lastUsedAt: session.last_used_at.toISOString(),
    current: session.id === caller.sessionId,
  }))
}

export const revokeSession: Handler<typeof api.revokeSession> = async ({ params }, { db, caller }) => {
  if (!(await deleteSessionOfMember(db, caller.memberId, params.id))) throw new Refused('not_found')
  return { revoked: true }
}

export const revokeOtherSessions: Handler<typeof api.revokeOtherSessions> = async (_, { db, caller }) => ({
  revoked: await deleteOtherSessions(db, caller.memberId, caller.sessionId),
})
