import * as z from 'zod/mini'
import { chain as tokenChain } from '#content/brand.json'
import {
  checkAddress,
  type AddressChain,
  type AddressProblem,
  type TokenChain,
} from '#contract/chain-address.ts'
import { chainAddress } from '#contract/orders.ts'

const { begins }: TokenChain = tokenChain
/** What members are told that an address of the project's own chain begins with; none where it is of no help. */
export const tokenBeginnings: readonly string[] = begins ?? []

/** Kept apart so that only pages that ask for addresses load the hash functions behind the checksums. */
const isOn = (chain: AddressChain) =>
  z.check<string>((payload) => {
    if (payload.value === '') return
    const problem = addressProblemOn(chain, payload.value)
    if (problem) payload.issues.push({ code: 'custom', input: payload.value, message: problem })
  })

/** What is wrong with an address, checksum included. */
export function addressProblemOn(chain: AddressChain, address: string): AddressProblem | undefined {
  const checked = checkAddress(chain, address, tokenChain)
  return 'problem' in checked ? checked.problem : undefined
}

/** An address of the chain, or empty. The error says what is wrong with it. */
export const addressOn = (chain: AddressChain) => chainAddress.check(isOn(chain))

export const requiredAddressOn = (chain: AddressChain) =>
  chainAddress.check(z.minLength(1, 'required'), isOn(chain))
