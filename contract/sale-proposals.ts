import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { givenTime, id, line, noBody, time } from './fields.ts'
import { confirmedRates, saleSettings } from './sale.ts'
import { whoChanged } from './settings.ts'

export const proposalReasonLengthMax = 500

export const confirmSaleProposal = endpoint('POST', 'admin/sale/proposals/:id/confirm', {
  about: 'As the second person: make a proposed change of the sale’s settings. Never one’s own.',
  access: staff('coins', 2),
  params: z.strictObject({ id }),
  body: noBody,
  output: saleSettings,
  errors: ['conflict', 'step_up_required'],
})

/** The reason is required if someone else made the proposal. Its author is notified. */
export const declineSaleProposal = endpoint('POST', 'admin/sale/proposals/:id/decline', {
  about: 'Drop a proposed change of the sale’s settings: another’s with a reason, or one’s own.',
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
  about: 'Make the settings what they were after a change. This is a change itself.',
  access: staff('coins', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ lastUpdated: z.nullable(givenTime), confirmedRates }),
  output: z.object({ isProposed: z.boolean() }),
  errors: ['not_found', 'conflict', 'step_up_required'],
})

/** For how many hours the console tells all staff about changed receiving addresses or prices. */
export const addressesShownHours = 24

export const listAddressChanges = endpoint('GET', 'admin/sale/address-changes', {
  about: 'The receiving addresses and rates that were changed within a day: all of the staff see them.',
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
