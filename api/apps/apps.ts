import type { Noun } from '../noun.ts'
import { findApp, getAppRecord } from './find-app.ts'
import { updateAppRecord } from './save-app.ts'

/** The installation's own record. */
export const apps = { calls: { findApp, getAppRecord, updateAppRecord } } satisfies Noun
