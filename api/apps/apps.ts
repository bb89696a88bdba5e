import type { Noun } from '../noun.ts'
import { findApp } from './find-app.ts'

/** The installation's own record. */
export const apps = { calls: { findApp } } satisfies Noun
