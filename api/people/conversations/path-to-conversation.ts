import type { LockedConversation } from './conversation.queries.ts'

/** The path of the page on which a member reads a conversation, as the page itself builds it. */
export function pathToConversation({
  about,
  order_id,
  application_id,
}: Pick<LockedConversation, 'about' | 'order_id' | 'application_id'>): string {
  const of = order_id ?? application_id
  if (of === null) return '/account/messages'
  return `/account/messages?${new URLSearchParams({ about, of }).toString()}`
}
