import { useState, type RefObject } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { ShortcutsDialog } from '../../kernel/shortcuts/shortcuts-dialog.tsx'
import { useShortcuts, useShortcutSwitch } from '../../kernel/shortcuts/use-shortcuts.ts'
import { TextButton } from '../../kernel/ui/button.tsx'
import styles from './console-list.module.css'
import { stepRows } from './data-table.tsx'

/** The shortcuts of a list, and the button that shows them. */
export function ListKeys({
  frame,
  clear,
}: {
  frame: RefObject<HTMLElement | null>
  /** Clears the selection. Set if rows can be selected. */
  clear?: () => void
}) {
  const { t } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const [isOn, switchKeys] = useShortcutSwitch()
  const step = (by: 1 | -1) => () => void (frame.current && stepRows(frame.current, by))
  useShortcuts(isOn, (key, isRepeat) => {
    if (key === 'j') return step(1)
    if (key === 'k') return step(-1)
    if (isRepeat) return undefined
    if (key === 'x') return selectRow
    if (key === 'Escape') return clear
    if (key === '/') return () => frame.current?.querySelector<HTMLElement>('[type=search]')?.focus()
    return key === '?' ? () => setOpen(true) : undefined
  })
  const keys = [
    { key: 'j', text: t('console.keys.next') },
    { key: 'k', text: t('console.keys.previous') },
    { key: 'Enter', text: t('console.keys.open') },
    ...(clear
      ? [
          { key: 'x', text: t('console.keys.select') },
          { key: 'Esc', text: t('console.list.clearSelection') },
        ]
      : []),
    { key: 'u', text: t('console.keys.back') },
    { key: '/', text: t('console.keys.search') },
    { key: '?', text: t('console.keys') },
  ]
  return (
    <>
      <TextButton className={styles.keys} onClick={() => setOpen(true)}>
        {t('console.keys')}
      </TextButton>
      {isOpen && (
        <ShortcutsDialog
          isOpen
          onClose={() => setOpen(false)}
          isOn={isOn}
          onSwitch={switchKeys}
          groups={[{ keys }]}
        />
      )}
    </>
  )
}

/** Selects the row that has the focus, or clears its selection. */
const selectRow = () =>
  document.activeElement?.closest('tbody tr')?.querySelector<HTMLElement>('[type=checkbox]')?.click()
