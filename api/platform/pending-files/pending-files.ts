import { MINUTE } from '#contract/platform/durations.ts'
import type { Module } from '../module.ts'
import { removePendingFiles } from './pending-file.queries.ts'

/** Far longer than storing an application takes, in milliseconds. */
const pendingFileAge = 15 * MINUTE
const filesAtOnce = 500

/** Files in the store that nothing refers to. */
export const pendingFiles = {
  cleanUp: { oldFiles: ({ db, files }) => removePendingFiles(db, files, pendingFileAge, filesAtOnce) },
} satisfies Module
