import * as z from 'zod/mini'
import { chain as tokenChain } from '#content/brand.json'
import {
  checkAddress,
  type AddressChain,
  type AddressProblem,
  type TokenChain,
} from '#contract/platform/chain-address.ts'
import { chainAddress } from '#contract/platform/fields.ts'

const { begins }: TokenChain = tokenChain
/** Prefixes of addresses on the project's own chain, shown to members. Empty if they would not help. */
export const tokenBeginnings: readonly string[] = begins ?? []

/** A separate module, so that only pages with address fields load the hash functions for checksums. */
const isOn = (chain: AddressChain) =>
  z.check<string>((payload) => {
    if (payload.value === '') return
    const problem = addressProblemOn(chain, payload.value)
    if (problem) payload.issues.push({ code: 'custom', input: payload.value, message: problem })
  })

/** Returns the problem with an address, including its checksum. */
export function addressProblemOn(chain: AddressChain, address: string): AddressProblem | undefined {
  const checked = checkAddress(chain, address, tokenChain)
  return 'problem' in checked ? checked.problem : undefined
}

/** Accepts an address of the chain or an empty value. The error describes the problem. */
export const addressOn = (chain: AddressChain) => chainAddress.check(isOn(chain))

export const requiredAddressOn = (chain: AddressChain) =>
  chainAddress.check(z.minLength(1, 'required'), isOn(chain))
