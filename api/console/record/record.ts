import { collectHandlers, type Module } from '../../platform/module.ts'
import * as readRecord from './read-record.ts'
import * as verifyRecord from './verify-record.ts'

/** The audit log as administrators read and verify it. */
export const record = {
  calls: collectHandlers(readRecord, verifyRecord),
  personal: { columns: { audit_check: { started_by: 'remains' } } },
} satisfies Module
