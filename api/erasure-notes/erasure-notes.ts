import type { Noun } from '../module.ts'
import { startNoting } from './note-erasures.ts'

/** What was erased, noted outside the database, so that a restored backup brings nobody back. */
export const erasureNotes = { workers: [startNoting] } satisfies Noun
