import type { Module } from '../module.ts'
import { startRecordingErasures } from './record-erasures.ts'

/** Records erasures outside the database, so that restoring a backup brings no one back. */
export const erasureNotes = { workers: [startRecordingErasures] } satisfies Module
