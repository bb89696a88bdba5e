import type { Noun } from '../noun.ts'
import { exportRecord, listRecord } from './read-record.ts'
import { exportRecordHead, getVerification, verifyRecord } from './verify-record.ts'

/** The audit log as administrators read and verify it. */
export const record = {
  calls: { listRecord, exportRecord, verifyRecord, getVerification, exportRecordHead },
  personal: { columns: { audit_check: { started_by: 'remains' } } },
} satisfies Noun
