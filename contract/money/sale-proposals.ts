import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { timeInput, id, line, noBody, time } from '../platform/fields.ts'
import { confirmedRates, saleSettings } from './sale.ts'
import { whoChanged } from '../people/settings.ts'

const proposalReasonLengthMax = 500

export const confirmSaleProposal = endpoint('POST', 'admin/sale/proposals/:id/confirm', {
  about:
    'Approve a proposed change of the sale settings as the second person. Nobody can approve their own proposal.',
  access: staff('coins', 2),
  params: z.strictObject({ id }),
  body: noBody,
  output: saleSettings,
  errors: ['conflict', 'step_up_required'],
})

/** The reason is required if someone else made the proposal. Its author is notified. */
export const declineSaleProposal = endpoint('POST', 'admin/sale/proposals/:id/decline', {
  about:
    'Decline a proposed change of the sale settings with a reason, or withdraw the caller’s own proposal.',
  access: staff('coins', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ reason: z._default(line(proposalReasonLengthMax), '') }),
  output: saleSettings,
  errors: ['conflict'],
})

/**
 * The same rules apply as for any other change: restoring a receiving address or rate may require a second
 * approval.
 */
export const restoreSettingVersion = endpoint('POST', 'admin/sale/versions/:id/restore', {
  about: 'Restore the settings to their state after an earlier change. This is recorded as a new change.',
  access: staff('coins', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ lastUpdated: z.nullable(timeInput), confirmedRates }),
  output: z.object({ isProposed: z.boolean() }),
  errors: ['not_found', 'conflict', 'step_up_required'],
})

/** For how many hours the console shows all staff that receiving addresses or prices have changed. */
export const addressNoticeHours = 24

export const listAddressChanges = endpoint('GET', 'admin/sale/address-changes', {
  about: 'List the receiving addresses and rates that changed within the last day. All staff can see them.',
  access: staff('any'),
  output: z.array(
    z.object({
      id,
      code: z.string(),
      field: z.enum(['receivingAddress', 'rate']),
      from: z.string(),
      to: z.string(),
      at: time,
      by: z.nullable(whoChanged),
      confirmedBy: z.nullable(whoChanged),
    }),
  ),
})
