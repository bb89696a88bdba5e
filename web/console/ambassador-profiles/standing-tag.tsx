import type { AmbassadorStanding } from '#contract/console-ambassador-profiles.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Tag, type TagColor } from '../../ui/tag.tsx'

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
