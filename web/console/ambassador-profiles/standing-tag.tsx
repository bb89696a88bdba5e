import type { AmbassadorStanding, ListedAmbassador } from '#contract/people/console-ambassador-profiles.ts'
import type { Language } from '#contract/platform/languages.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'

const colours: Readonly<Record<AmbassadorStanding, TagColor>> = {
  invited: 'quiet',
  unwritten: 'quiet',
  public: 'green',
  hidden: 'yellow',
  ended: 'red',
}

export function StandingTag({ standing }: { standing: AmbassadorStanding }) {
  const { t } = useMessages()
  return <Tag colour={colours[standing]}>{t(`consoleAmbassadorProfiles.standing.${standing}`)}</Tag>
}

/** The name shown to readers of a language. */
export const nameIn = ({ name }: Pick<ListedAmbassador, 'name'>, language: Language): string =>
  name[language] ?? name.en
