import type { Noun } from '../module.ts'
import { startNoting } from './note-erasures.ts'

/** Records erasures outside the database, so that restoring a backup brings no one back. */
export const erasureNotes = { workers: [startNoting] } satisfies Noun
