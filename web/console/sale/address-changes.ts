import type { OutputOf } from '#contract/endpoint.ts'
import { listAddressChanges } from '#contract/sale-proposals.ts'
import { callUnseen } from '../../call/call.ts'
import { createStore } from '../../state/create-store.ts'

export type AddressChanges = OutputOf<typeof listAddressChanges>

/** Receiving addresses changed within a day, as far as the console knows. */
export const addressChanges = createStore<AddressChanges>([])

/** Fails silently, because nobody asked for it and it is retried soon. */
export async function loadAddressChanges(): Promise<void> {
  try {
    addressChanges.set(await callUnseen(listAddressChanges, {}))
  } catch {
    // Keeps what is shown.
  }
}
