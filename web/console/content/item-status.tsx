import type { ContentItem } from '#contract/publishing/console-content.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import styles from './content.module.css'

type State = Pick<ContentItem, 'waiting' | 'hasDraft' | 'isPublished' | 'problems' | 'missing' | 'isLeftOut'>

/** The status of an item as a label and color. Statuses that need attention come first. */
export function ItemStatus({ piece }: { piece: State }) {
  const { t, formatDateTime } = useMessages()
  const { waiting, hasDraft, isPublished, problems, missing, isLeftOut } = piece
  return (
    <span className={styles.tags}>
      {isLeftOut && <Tag colour="red">{t('consoleContent.state.leftOut')}</Tag>}
      {waiting?.state === 'proposed' && <Tag colour="yellow">{t('consoleContent.state.proposed')}</Tag>}
      {waiting?.state === 'scheduled' && (
        <Tag colour="verdigris">
          {t('consoleContent.state.scheduled', { time: formatDateTime(waiting.publishAt ?? '') })}
        </Tag>
      )}
      {hasDraft && !waiting && <Tag colour="yellow">{t('consoleContent.state.draft')}</Tag>}
      {isPublished && !hasDraft && <Tag colour="green">{t('consoleContent.state.published')}</Tag>}
      {!isPublished && !hasDraft && <Tag colour="quiet">{t('consoleContent.state.file')}</Tag>}
      {missing > 0 && <Tag colour="red">{t('consoleContent.missing', { count: missing })}</Tag>}
      {problems > missing && (
        <Tag colour="red">{t('consoleContent.problems', { count: problems - missing })}</Tag>
      )}
    </span>
  )
}
