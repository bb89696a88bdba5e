import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress, type AddressChain } from '#contract/chain-address.ts'
import { refusedField } from '../refused.ts'
import type { Applicant } from './kyc.queries.ts'

type Given = {
  firstName?: string | undefined
  fullName?: string | undefined
  lastName?: string | undefined
  country?: string | undefined
  email?: string | undefined
  btcAddress?: string | undefined
  ethAddress?: string | undefined
  ethAdd?: string | undefined
  ETHadd?: string | undefined
}

/** One applicant out of the wire's several names; what is missing is taken from `before` where there is one. */
export function readApplicant(given: Given, before?: Applicant): Applicant {
  const applicant = {
    fullName: given.firstName ?? given.fullName ?? before?.fullName ?? '',
    lastName: given.lastName ?? before?.lastName ?? '',
    country: given.country ?? before?.country ?? '',
    email: given.email ?? before?.email ?? '',
    ethAddress: given.ethAddress ?? given.ethAdd ?? given.ETHadd ?? before?.ethAddress ?? '',
    btcAddress: given.btcAddress ?? before?.btcAddress ?? '',
  }
  if (applicant.fullName === '') throw refusedField('firstName', 'required')
  if (applicant.ethAddress === '') throw refusedField('ethAddress', 'required')
  return applicant
}

/** The applicant with addresses in the spelling of their chains; only those that differ from `before` are checked. */
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
