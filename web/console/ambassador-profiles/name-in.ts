import type { ListedAmbassador } from '#contract/console-ambassador-profiles.ts'
import type { Language } from '#contract/languages.ts'

/** As whoever reads in that language knows them. */
export const nameIn = ({ name }: Pick<ListedAmbassador, 'name'>, language: Language): string =>
  name[language] ?? name.en
