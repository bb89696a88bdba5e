import type { ListedAmbassador } from '#contract/console-ambassador-profiles.ts'
import type { Language } from '#contract/languages.ts'

/** The name shown to readers of a language. */
export const nameIn = ({ name }: Pick<ListedAmbassador, 'name'>, language: Language): string =>
  name[language] ?? name.en
