import type { Quote } from '#contract/sale.ts'
import { draftStore, type DraftStore } from '../../state/draft-store.ts'

/**
 * A filled form on its way to become an order. Its key stays the same through reloads and lost connections, so that it
 * becomes one order at most; another filled form gets another key.
 */
export type OrderDraft = {
  key: string
  quote: Quote
  /** By the clock of this device, which may be wrong by hours: only ever compared with itself. */
  expiresAt: number
  fabAddress: string
  /** It was sent, and no answer has said what became of it. */
  isSent: boolean
}

/** Works also where the page did not come over https, unlike `randomUUID`. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const orderDraft = (memberId: string): DraftStore<OrderDraft> => draftStore(memberId, 'order')
