import { readBrand } from '#contract/content.ts'
import { languages, type Language } from '#contract/languages.ts'
import { call } from '../call/call.ts'
import { brandIn, type LocalizedBrand } from './brand.tsx'
import { loadedBrand } from './known-content.ts'

/** The page includes the brand in its own language. Other languages are requested when the reader switches to them. */
export async function loadBrand(language: Language): Promise<LocalizedBrand> {
  const known = loadedBrand.get(language)
  if (known) return known
  const brand = await call(readBrand, {})
  for (const each of languages) loadedBrand.set(each, brandIn(each, brand))
  return brandIn(language, brand)
}
