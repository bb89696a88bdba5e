import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress, type AddressChain } from '#contract/chain-address.ts'
import { refusedField } from '../refused.ts'
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

/** The applicant with addresses in the canonical form of their chains; only changed addresses are checked. */
export function withCheckedAddresses(applicant: Applicant, before?: Applicant): Applicant {
  const checked = (name: 'ethAddress' | 'btcAddress', chain: AddressChain) => {
    const text = applicant[name]
    if (text === '' || text === before?.[name]) return text
    const result = checkAddress(chain, text, brand.chain)
    if ('problem' in result) throw refusedField(name, result.problem)
    return result.address
  }
  return {
    ...applicant,
    ethAddress: checked('ethAddress', 'ethereum'),
    btcAddress: checked('btcAddress', 'bitcoin'),
  }
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
