import { createContext, useContext } from 'react'
import type { Brand } from '#contract/publishing/content.ts'
import type { Language } from '#contract/platform/fields.ts'

/**
 * The editable parts of the brand in one language. The name and ticker are fixed by the build (`content/brand.json`).
 */
export type LocalizedBrand = Omit<Brand, 'tagline' | 'legalLine' | 'address'> & {
  tagline: string
  legalLine: string
  address: readonly string[]
  /** Scheme and host of the site, without a trailing slash. */
  origin: string
}

export const brandIn = (
  language: Language,
  { tagline, legalLine, address, ...brand }: Brand,
  origin: string,
): LocalizedBrand => ({
  ...brand,
  origin,
  tagline: tagline[language],
  legalLine: legalLine[language],
  address: address[language],
})

const BrandContext = createContext<LocalizedBrand | null>(null)
export const BrandProvider = BrandContext.Provider

export function useBrand(): LocalizedBrand {
  const brand = useContext(BrandContext)
  if (!brand) throw new Error('no brand')
  return brand
}
