import type { AnnouncementState } from '#contract/publishing/announcements.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import type { TagColor } from '../../kernel/ui/tag.tsx'

/** The label and color of each state. */
export const postStates: Readonly<Record<AnnouncementState, { words: PlainKey; colour: TagColor }>> = {
  draft: { words: 'newsroom.state.draft', colour: 'quiet' },
  scheduled: { words: 'newsroom.state.scheduled', colour: 'yellow' },
  published: { words: 'newsroom.state.published', colour: 'green' },
  deleted: { words: 'newsroom.state.deleted', colour: 'red' },
}
