import type { AmbassadorState } from '#contract/people/ambassadors.ts'
import type { ListedApplication } from '#contract/people/console-ambassadors.ts'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/languages.ts'
import { formatWait } from '../../kernel/i18n/format-wait.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import styles from './applications.module.css'

const colours: Readonly<Record<AmbassadorState, TagColor>> = {
  received: 'yellow',
  in_review: 'verdigris',
  accepted: 'green',
  declined: 'quiet',
}

export function StateTag({ status }: { status: AmbassadorState }) {
  const { t } = useMessages()
  return <Tag colour={colours[status]}>{t(`consoleAmbassadors.state.${status}`)}</Tag>
}

export function LanguageName({ language }: { language: Language }) {
  const { t } = useMessages()
  return <span className={styles.day}>{languageLabel(t, language)}</span>
}

export function DuplicateTag({ application }: { application: ListedApplication }) {
  const { t } = useMessages()
  return application.hasDuplicate && <Tag colour="red">{t('consoleAmbassadors.duplicate')}</Tag>
}

/** How long before its deletion the board shows the date. */
const warning = 30 * DAY

const daysWaited = (since: string): number => Math.floor((Date.now() - Date.parse(since)) / DAY)
const isSoon = (at: string | null): at is string => at !== null && Date.parse(at) - Date.now() < warning

/**
 * Marks applications that have waited longer than promised in the confirmation email, and those that will be erased
 * soon.
 */
export function WaitTags({
  application: { waitsLong, createdAt, erasedAt },
}: {
  application: ListedApplication
}) {
  const { t, language, formatDate } = useMessages()
  if (!waitsLong) return null
  return (
    <>
      <Tag colour="yellow">
        {t('consoleAmbassadors.waits', { age: formatWait(daysWaited(createdAt) * (DAY / SECOND), language) })}
      </Tag>
      {isSoon(erasedAt) && (
        <Tag colour="red">{t('consoleAmbassadors.goes', { date: formatDate(erasedAt) })}</Tag>
      )}
    </>
  )
}
