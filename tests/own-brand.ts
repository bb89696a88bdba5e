import given from '#content/brand.json' with { type: 'json' }
import type { Brand } from '#contract/publishing/content.ts'

/** The brand in the content files, with the type of the content rules, whatever this project leaves out. */
export const ownBrand: Brand & Pick<typeof given, 'name' | 'ticker' | 'chain' | 'storageKey'> = given
