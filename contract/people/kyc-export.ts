import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { id, time } from '../platform/fields.ts'
import { kycCaseDetail } from './kyc-review.ts'

export const exportKycCase = endpoint('GET', 'admin/kyc/cases/:id/export', {
  about:
    'Export everything about a case for an auditor, including who handled it. Pictures are data URLs, watermarked with the name of the person who exported them and the time. Access is recorded in the audit log.',
  access: staff('finance', 2),
  auditsItself: 'kyc',
  params: z.strictObject({ id }),
  output: z.object({
    exportedAt: time,
    exportedBy: z.object({ id, name: z.string(), email: z.string() }),
    case: kycCaseDetail,
    pictures: z.array(z.string()),
    audit: z.array(
      z.object({
        /**
         * Position in the hash chain. `hash` is SHA-256 over the entry and the hash of the previous one, in
         * hexadecimal. Null and empty for an entry that isn't sealed yet.
         */
        seq: z.nullable(z.number()),
        at: time,
        actorId: z.nullable(id),
        action: z.string(),
        hash: z.string(),
      }),
    ),
  }),
  errors: ['not_found', 'step_up_required'],
})
