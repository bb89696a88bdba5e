import type { ConsoleView } from '#contract/console/console-views.ts'

/** A saved view as the API returns it: the reader's own, and not shared. */
export const aView = (
  fields: Pick<ConsoleView, 'id' | 'name' | 'query'> & Partial<ConsoleView>,
): ConsoleView => ({ isShared: false, isEditable: true, isOwn: true, ...fields })
