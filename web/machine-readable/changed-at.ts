import type { Announcement } from '#contract/announcements.ts'

/** When the published post last changed for readers: edits to a draft before its publication do not count. */
export const changedAt = ({ lastEdited, postedDate }: Announcement): string =>
  lastEdited !== null && lastEdited > postedDate ? lastEdited : postedDate
