import type { OutputOf } from '#contract/platform/endpoint.ts'
import { listAddressChanges } from '#contract/money/sale-proposals.ts'
import { callUnseen } from '../../kernel/call/call.ts'
import { createStore } from '../../kernel/state/create-store.ts'

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
