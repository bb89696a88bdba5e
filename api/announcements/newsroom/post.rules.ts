import type { AnnouncementState } from '#contract/announcements.ts'

export type Step = 'publish' | 'schedule' | 'unpublish' | 'delete' | 'restore'

/** From which states a step may be taken. Where a restored post goes is another question. */
const steps: Record<Step, readonly AnnouncementState[]> = {
  publish: ['draft', 'scheduled'],
  schedule: ['draft', 'scheduled'],
  unpublish: ['scheduled', 'published'],
  delete: ['draft', 'scheduled', 'published'],
  restore: ['deleted'],
}

export const canTake = (step: Step, state: AnnouncementState): boolean => steps[step].includes(state)

/** The state it had; one whose time has passed in the trash must not come out by surprise. */
export function stateAfterTrash(
  before: AnnouncementState | null,
  publishAt: Date | null,
  now: Date,
): Exclude<AnnouncementState, 'deleted'> {
  if (before === 'published') return 'published'
  return before === 'scheduled' && publishAt !== null && publishAt > now ? 'scheduled' : 'draft'
}

type Text = { title: string; category: string; language: string; content: string }

/** Whether saving would make a version that says the same as the one before. */
export const isSameText = (a: Text, b: Text): boolean =>
  a.title === b.title && a.category === b.category && a.language === b.language && a.content === b.content
