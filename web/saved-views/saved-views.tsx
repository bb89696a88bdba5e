import { useEffect, useRef, useState, type MouseEvent, type ReactNode, type RefObject } from 'react'
import { useMessages } from '../i18n/messages.tsx'
import { navigate } from '../navigation/navigate.ts'
import { TextButton } from '../ui/button.tsx'
import { useViews, type Viewed } from './use-views.ts'
import { ViewDialog, type ViewDialogState } from './view-dialog.tsx'
import styles from './saved-views.module.css'

/**
 * Shown above the filters: the reader's saved views of the list, if there are any. `children` renders the filters and
 * receives the button that saves the current ones.
 */
export function SavedViews({ list, children }: { list: Viewed; children: (save: ReactNode) => ReactNode }) {
  const { t } = useMessages()
  const { loaded, views, current } = useViews(list)
  const isPlain = list.shown === ''
  const [dialog, setDialog] = useState<ViewDialogState>()
  const links = useRef<HTMLUListElement>(null)
  const saving = useRef<HTMLButtonElement>(null)
  const focusAfterwards = useFocusAfterwards(links, saving)
  const save = loaded.state === 'ready' && !current && !isPlain && (
    <TextButton ref={saving} onClick={() => setDialog({ step: 'save', query: list.shown })}>
      {t('console.views.save')}
    </TextButton>
  )
  return (
    <>
      {loaded.state === 'failed' && (
        <p className={styles.failed} role="status">
          {t('console.views.failed')} <TextButton onClick={loaded.retry}>{t('forms.retry')}</TextButton>
        </p>
      )}
      {views.length > 0 && (
        <div className={styles.row}>
          <nav className={styles.views} aria-label={t('console.views')}>
            <ul ref={links}>
              <ViewLink href={list.path} isCurrent={!current && isPlain}>
                {t('console.views.all')}
              </ViewLink>
              {views.map(({ id, name, address, isCurrent }) => (
                <ViewLink key={id} href={address} isCurrent={isCurrent}>
                  {name}
                </ViewLink>
              ))}
            </ul>
          </nav>
          {current && (
            <div className={styles.actions}>
              <TextButton onClick={() => setDialog({ step: 'rename', view: current })}>
                {t('console.views.rename')}
              </TextButton>
              <TextButton onClick={() => setDialog({ step: 'drop', view: current })}>
                {t('console.views.drop')}
              </TextButton>
            </div>
          )}
        </div>
      )}
      {children(save)}
      {dialog && (
        <ViewDialog
          dialog={dialog}
          list={list.name}
          views={loaded.state === 'ready' ? loaded.data : []}
          onChanged={(changed) => {
            if (loaded.state === 'ready') loaded.setData(changed)
            focusAfterwards()
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}

/**
 * The button that opened the dialog disappears afterwards, so the focus moves to the current view or, if there is none,
 * to the save button.
 */
function useFocusAfterwards(
  links: RefObject<HTMLElement | null>,
  saving: RefObject<HTMLElement | null>,
): () => void {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    setDone(false)
    const current = links.current?.querySelector<HTMLElement>('[aria-current]')
    ;(current ?? saving.current)?.focus()
  }, [isDone, links, saving])
  return () => setDone(true)
}

function ViewLink({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: ReactNode }) {
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'true' : undefined} onClick={openInPlace}>
        {children}
      </a>
    </li>
  )
}

/** The list changes under the same heading, so the focus does not move, as with a filter. */
function openInPlace(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  void navigate(event.currentTarget.href, { inPlace: true })
}
