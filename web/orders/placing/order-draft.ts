import type { Quote } from '#contract/sale.ts'
import { draftStore, type DraftStore } from '../../state/draft-store.ts'

/**
 * A completed form that is to become an order. Its idempotency key survives reloads and lost connections, so that it
 * becomes at most one order; another completed form gets another key.
 */
export type OrderDraft = {
  key: string
  quote: Quote
  /** By this device's clock, which may be hours off: only ever compared with itself. */
  expiresAt: number
  fabAddress: string
  /** It was sent, and its outcome is unknown. */
  isSent: boolean
}

/** Works on pages served without https too, unlike `randomUUID`. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const orderDraft = (memberId: string): DraftStore<OrderDraft> => draftStore(memberId, 'order')
