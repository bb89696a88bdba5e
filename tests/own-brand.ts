import given from '#content/brand.json' with { type: 'json' }
import type { Brand } from '#contract/content.ts'

/** What the files say of the brand: of the type that the rules give it, whatever this project's leaves out. */
export const ownBrand: Brand & Pick<typeof given, 'name' | 'ticker' | 'chain' | 'storageKey'> = given
