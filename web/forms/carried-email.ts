import { readItem, writeItem } from '../browser-storage.ts'

const key = '_email'

/** The e-mail typed into one form of the login area, for the next one. It never travels in an address. */
export const carriedEmail = (): string => readItem('sessionStorage', key) ?? ''

export const carryEmail = (email: string | undefined): void =>
  writeItem('sessionStorage', key, email?.trim() || null)
