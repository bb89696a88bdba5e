import * as z from 'zod/mini'
import { decimal } from '../platform/decimal.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { email, id, line, requiredLine, time, timeInput } from '../platform/fields.ts'
import { resource, sortedBy } from '../platform/resource.ts'
import { payMethodLengthMax } from './orders.ts'
import { bonusTiers } from './round-bonus.ts'
import { vestingPlan } from './vesting.ts'

export const roundNameLengthMax = 60
/** Room for a UUID, which the console makes. */
export const roundIdLengthMax = 40
export const roundsMax = 30
export const roundAdmissions = ['approved', 'listed'] as const
export const roundStates = ['upcoming', 'current', 'ended'] as const

const name = z.strictObject({ en: requiredLine(roundNameLengthMax), cn: requiredLine(roundNameLengthMax) })
/** The name of a round as it is shown. */
export const roundName = z.object({ en: z.string(), cn: z.string() })
const roundId = new RegExp(`^[A-Za-z0-9-]{1,${roundIdLengthMax}}$`)
export const roundPrice = z.strictObject({
  code: requiredLine(payMethodLengthMax),
  rate: decimal,
  minAmount: decimal,
  maxAmount: decimal,
})
/** A round overrides the period, caps, prices, and limits of the sale. Null, or no price, means those of the sale. */
export const saleRound = z.strictObject({
  /** Made by the client, so that a repeated request saves the same round. */
  id: z.string().check(z.regex(roundId, 'invalid')),
  name,
  opensAt: z.nullable(timeInput),
  closesAt: z.nullable(timeInput),
  cap: z.nullable(decimal),
  memberCap: z.nullable(decimal),
  admission: z.enum(roundAdmissions, 'one_of'),
  /** ISO 3166-1 alpha-2. */
  excludedCountries: z
    .array(z.string().check(z.regex(/^[A-Z]{2}$/, 'invalid')))
    .check(z.maxLength(300, 'too_many')),
  bonus: bonusTiers,
  vesting: vestingPlan,
  prices: z.array(roundPrice).check(z.maxLength(20, 'too_many')),
})
export type SaleRound = z.infer<typeof saleRound>

const row = z.object({
  id,
  name: roundName,
  opensAt: z.nullable(time),
  closesAt: z.nullable(time),
  state: z.enum(roundStates),
  sold: z.string(),
  cap: z.nullable(z.string()),
  orders: z.number(),
  members: z.number(),
})
export type RoundRow = z.infer<typeof row>

export const saleRounds = resource({
  path: 'admin/sale/rounds',
  name: 'sale-rounds',
  about: 'List the rounds of the sale.',
  access: staff('coins', 1),
  auditsAccess: { without: 'The list is about the project, not about people.' },
  row,
  filters: { sort: sortedBy('opens', '-opens') },
  palette: { without: 'There are only a few rounds, which the list shows at once.' },
  detail: { about: 'Get a round of the sale.', output: row },
})
export const { list: listSaleRounds, get: getSaleRound } = saleRounds

const guest = z.object({
  id,
  roundId: id,
  email: z.string(),
  addedBy: z.nullable(z.object({ id, name: z.string() })),
  addedAt: time,
})
export type RoundGuest = z.infer<typeof guest>
export const roundGuests = resource({
  path: 'admin/sale/guests',
  name: 'sale-guests',
  about: 'List the email addresses that are admitted to rounds.',
  access: staff('coins', 2),
  auditsAccess: 'member',
  row: guest,
  filters: { round: z.optional(id), q: z.optional(line(254)), sort: sortedBy('added', '-added') },
  palette: { without: 'The addresses are listed on the page of their round.' },
  file: { about: 'Export the list of admitted email addresses as CSV. Requires step-up authentication.' },
})
export const { list: listRoundGuests, file: exportRoundGuests } = roundGuests
/** How many addresses one request adds, and how many it removes. */
export const guestsMax = 500
const emails = z.array(email).check(z.maxLength(guestsMax, 'too_many'))
export const changeRoundGuests = endpoint('POST', 'admin/sale/rounds/:id/guests', {
  about: 'Add email addresses to the allow-list of a round, and remove others.',
  access: staff('coins', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ add: emails, remove: emails }),
  output: z.object({ added: z.number(), removed: z.number() }),
  errors: ['not_found', 'step_up_required'],
})
