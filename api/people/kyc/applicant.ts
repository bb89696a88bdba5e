import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress, type AddressChain } from '#contract/platform/chain-address.ts'
import type { Tx } from '../../platform/db/database.ts'
import { listOurAddresses } from '../settings/our-address.queries.ts'
import { refusedField } from '../../platform/refused.ts'
import type { Applicant, KycRow } from './kyc.queries.ts'

export type Given = {
  firstName?: string | undefined
  fullName?: string | undefined
  lastName?: string | undefined
  country?: string | undefined
  dateOfBirth?: string | undefined
  email?: string | undefined
  btcAddress?: string | undefined
  ethAddress?: string | undefined
  ethAdd?: string | undefined
  ETHadd?: string | undefined
}

const blank: Applicant = {
  fullName: '',
  lastName: '',
  country: '',
  dateOfBirth: '',
  email: '',
  ethAddress: '',
  btcAddress: '',
}

/** Normalizes the alternative field names of the API; missing values are taken from `before`. */
export function readApplicant(given: Given, before?: Applicant): Applicant {
  const applicant = withGiven(given, before)
  if (applicant.fullName === '') throw refusedField('firstName', 'required')
  if (applicant.ethAddress === '') throw refusedField('ethAddress', 'required')
  return applicant
}

/** The same, also for an application whose data was deleted. */
export function withGiven(given: Given, before: Applicant = blank): Applicant {
  return {
    fullName: given.firstName ?? given.fullName ?? before.fullName,
    lastName: given.lastName ?? before.lastName,
    country: given.country ?? before.country,
    dateOfBirth: given.dateOfBirth || before.dateOfBirth,
    email: given.email || before.email,
    ethAddress: given.ethAddress ?? given.ethAdd ?? given.ETHadd ?? before.ethAddress,
    btcAddress: given.btcAddress ?? before.btcAddress,
  }
}

const addressChains = {
  ethAddress: 'ethereum',
  btcAddress: 'bitcoin',
} as const satisfies Record<string, AddressChain>

/**
 * Returns the applicant with addresses in the canonical form of their chains. Only changed addresses are checked. Our
 * own addresses are rejected, because they were probably copied from the payment page.
 */
export async function withCheckedAddresses(
  db: Tx,
  applicant: Applicant,
  before?: Applicant,
): Promise<Applicant> {
  const checked = { ...applicant }
  for (const name of ['ethAddress', 'btcAddress'] as const) {
    const text = applicant[name]
    if (text === '' || text === before?.[name]) continue
    const result = checkAddress(addressChains[name], text, brand.chain)
    if ('problem' in result) throw refusedField(name, result.problem)
    if ((await listOurAddresses(db, [result.address])).length > 0) throw refusedField(name, 'our_address')
    checked[name] = result.address
  }
  return checked
}

export const applicantOf = (row: KycRow): Applicant => ({
  fullName: row.full_name,
  lastName: row.last_name,
  country: row.country,
  dateOfBirth: row.date_of_birth,
  email: row.email,
  ethAddress: row.eth_address,
  btcAddress: row.btc_address,
})
