import type { OutputOf } from '#contract/endpoint.ts'
import { listAddressChanges } from '#contract/sale-proposals.ts'
import { callUnseen } from '../../call/call.ts'
import { createStore } from '../../state/create-store.ts'

type AddressChanges = OutputOf<typeof listAddressChanges>

/** Receiving addresses that changed within the last day, as loaded so far. */
export const addressChanges = createStore<AddressChanges>([])

/** Fails silently, because it runs in the background and is retried soon. */
export async function loadAddressChanges(): Promise<void> {
  try {
    addressChanges.set(await callUnseen(listAddressChanges, {}))
  } catch {
    // What is already shown is kept.
  }
}
