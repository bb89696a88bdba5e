import type { api } from '#contract/api.ts'
import type { Handler } from '../../platform/http/handler.ts'
import type { Module } from '../../platform/module.ts'
import { recordFourEyesNow, readFourEyes } from './record-changes.ts'

const listFourEyes: Handler<typeof api.listFourEyes> = (_, { db, config }) => readFourEyes(db, config)

/** Decisions that need four-eyes approval. */
export const fourEyes = {
  calls: { listFourEyes },
  personal: { columns: { four_eyes: { area: 'remains' } } },
  cleanUp: { fourEyes: recordFourEyesNow },
} satisfies Module
