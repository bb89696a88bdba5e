import type { Quote } from '#contract/sale.ts'
import { readItem, writeItem } from '../../browser-storage.ts'

const storedKey = '_order'

/**
 * A filled form on its way to become an order. Its key stays the same through reloads and lost connections, so that it
 * becomes one order at most; another filled form gets another key.
 */
export type OrderDraft = {
  memberId: string
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

/** The draft that this tab keeps of the member; what cannot be read is none. */
export function readDraft(memberId: string): OrderDraft | undefined {
  try {
    const draft = JSON.parse(readItem('sessionStorage', storedKey) ?? 'null') as OrderDraft | null
    return draft?.memberId === memberId && draft.quote ? draft : undefined
  } catch {
    return undefined
  }
}

export const writeDraft = (draft: OrderDraft | undefined): void =>
  writeItem('sessionStorage', storedKey, draft ? JSON.stringify(draft) : null)
