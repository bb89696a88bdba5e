import type { Module } from '../module.ts'
import { deleteIdempotencyKeysOfMember } from './idempotency-key.queries.ts'
import { deleteOldIdempotencyKeys } from './idempotent.ts'

/** The first answers to calls that a client may send again. */
export const idempotency = {
  personal: {
    columns: {
      idempotency_key: { member_id: 'erased', key_hash: 'erased', body_hash: 'erased', answer: 'erased' },
    },
    erase: (db, { id }) => deleteIdempotencyKeysOfMember(db, id),
  },
  cleanUp: { oldKeys: ({ db }) => deleteOldIdempotencyKeys(db) },
} satisfies Module
