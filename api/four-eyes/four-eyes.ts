import type { api } from '#contract/api.ts'
import type { Handler } from '../http/handler.ts'
import type { Noun } from '../module.ts'
import { noteFourEyesNow, readFourEyes } from './note-changes.ts'

const listFourEyes: Handler<typeof api.listFourEyes> = (_, { db, config }) => readFourEyes(db, config)

/** Decisions that need four-eyes approval. */
export const fourEyes = {
  calls: { listFourEyes },
  personal: { columns: { four_eyes: { area: 'remains' } } },
  cleanUp: { fourEyes: noteFourEyesNow },
} satisfies Noun
