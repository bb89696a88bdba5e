import type { Announcement } from '#contract/announcements.ts'

/** When the post last changed for readers. Edits of the draft before its publication do not count. */
export const changedAt = ({ lastEdited, postedDate }: Announcement): string =>
  lastEdited !== null && lastEdited > postedDate ? lastEdited : postedDate
