import type { AnnouncementState } from '#contract/publishing/announcements.ts'

export type Transition = 'publish' | 'schedule' | 'unpublish' | 'delete' | 'restore'

/** From which states each transition is allowed. The state that a restored post returns to is decided below. */
const transitions: Record<Transition, readonly AnnouncementState[]> = {
  publish: ['draft', 'scheduled'],
  schedule: ['draft', 'scheduled'],
  unpublish: ['scheduled', 'published'],
  delete: ['draft', 'scheduled', 'published'],
  restore: ['deleted'],
}

export const isAllowed = (transition: Transition, state: AnnouncementState): boolean =>
  transitions[transition].includes(state)

/** Returns the state before the trash. A post that became due while in the trash must not be published unexpectedly. */
export function stateAfterTrash(
  before: AnnouncementState | null,
  publishAt: Date | null,
  now: Date,
): Exclude<AnnouncementState, 'deleted'> {
  if (before === 'published') return 'published'
  return before === 'scheduled' && publishAt !== null && publishAt > now ? 'scheduled' : 'draft'
}

type Text = { title: string; category: string; language: string; content: string }

/** Whether saving would create a version identical to the one before. */
export const isSameText = (a: Text, b: Text): boolean =>
  a.title === b.title && a.category === b.category && a.language === b.language && a.content === b.content
