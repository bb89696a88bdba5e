import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { useShortcuts, useShortcutSwitch } from '../../kernel/shortcuts/use-shortcuts.ts'
import { BackLink } from '../../kernel/ui/back-link.tsx'
import type { RecordPlace } from '../list-place.ts'
import styles from './detail.module.css'

/** Links to the list, and to the records before and after this one in the list that was opened last. */
export function RecordLinks({
  place: { list, previous, next },
  back,
}: {
  place: RecordPlace
  /** The text of the link to the list. */
  back: PlainKey
}) {
  const { t } = useMessages()
  const [hasKeys] = useShortcutSwitch()
  const go = (path: string | undefined) => path && (() => void navigate(path))
  useShortcuts(hasKeys, (key, isRepeat) =>
    isRepeat ? undefined : { j: go(next), k: go(previous), u: go(list) }[key] || undefined,
  )
  const keyOf = (key: string) => (hasKeys ? key : undefined)
  const neighbor = (path: string | undefined, label: PlainKey, key: string) =>
    path ? (
      <a href={path} aria-keyshortcuts={keyOf(key)}>
        {t(label)}
      </a>
    ) : (
      // Keeps the place of the missing link, so that the other one doesn't move.
      <span aria-hidden="true">{t(label)}</span>
    )
  return (
    <nav className={styles.links} aria-label={t('console.detail.links')}>
      <BackLink href={list}>{t(back)}</BackLink>
      {(previous ?? next) && (
        <div>
          {neighbor(previous, 'console.detail.previous', 'k')}
          {neighbor(next, 'console.detail.next', 'j')}
        </div>
      )}
    </nav>
  )
}
