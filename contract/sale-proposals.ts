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

/** The reason is needed where the proposal is somebody else's, who is told. */
export const declineSaleProposal = endpoint('POST', 'admin/sale/proposals/:id/decline', {
  about: 'Drop a proposed change of the sale’s settings: another’s with a reason, or one’s own.',
  access: staff('coins', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ reason: z._default(line(proposalReasonLengthMax), '') }),
  output: saleSettings,
  errors: ['conflict'],
})

/** The same rules as for any other change: a receiving address or rate that comes back may wait for a second person. */
export const restoreSettingVersion = endpoint('POST', 'admin/sale/versions/:id/restore', {
  about: 'Make the settings what they were after a change. This is a change itself.',
  access: staff('coins', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ lastUpdated: z.nullable(givenTime), confirmedRates }),
  output: z.object({ isProposed: z.boolean() }),
  errors: ['not_found', 'conflict', 'step_up_required'],
})

/** How long the console shows everybody that payments go elsewhere, or that prices are others. */
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
