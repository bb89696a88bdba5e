import type { Announcement } from '#contract/announcements.ts'

/** When readers last got to see something new of the post: a draft is edited before it is posted. */
export const changedAt = ({ lastEdited, postedDate }: Announcement): string =>
  lastEdited !== null && lastEdited > postedDate ? lastEdited : postedDate
