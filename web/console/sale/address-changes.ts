import type { OutputOf } from '#contract/endpoint.ts'
import { listAddressChanges } from '#contract/sale-proposals.ts'
import { callUnseen } from '../../call/call.ts'
import { createStore } from '../../state/create-store.ts'

export type AddressChanges = OutputOf<typeof listAddressChanges>

/** The receiving addresses that were changed within a day, as far as the console knows. */
export const addressChanges = createStore<AddressChanges>([])

/** Fails silently: it is tried again soon, and whoever works in the console has not asked for it. */
export async function loadAddressChanges(): Promise<void> {
  try {
    addressChanges.set(await callUnseen(listAddressChanges, {}))
  } catch {
    // What is shown stays.
  }
}
