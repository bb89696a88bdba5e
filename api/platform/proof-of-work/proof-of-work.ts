import type { Module } from '../module.ts'
import { deleteExpiredWork } from './used-challenge.queries.ts'

/** Proof of work, which endpoints with `proofOfWorkAfter` require from clients with many requests. */
export const proofOfWork = { cleanUp: { spentWork: ({ db }) => deleteExpiredWork(db) } } satisfies Module
