import type { Quote } from '#contract/sale.ts'
import { draftStore, type DraftStore } from '../../state/draft-store.ts'

/**
 * A completed form that will become an order. Its idempotency key survives reloads and lost connections, so that it
 * becomes at most one order. Every completed form gets a key of its own.
 */
export type OrderDraft = {
  key: string
  quote: Quote
  /** By this device's clock, which may be hours off, so it is compared only with itself. */
  expiresAt: number
  fabAddress: string
  /** The request was sent but the response was lost; it may have been executed. */
  isSent: boolean
}

/** Unlike `randomUUID`, this also works on pages served without HTTPS. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const orderDraft = (memberId: string): DraftStore<OrderDraft> => draftStore(memberId, 'order')
