import { useEffect, useRef, useState, type MouseEvent } from 'react'
import { useWords } from '../i18n/words.tsx'
import { navigate } from '../navigation/navigate.ts'
import { TextButton } from '../ui/button.tsx'
import { useViews, type Viewed } from './use-views.ts'
import { ViewDialog, type AskedView } from './view-dialog.tsx'
import styles from './saved-views.module.css'

/** Above the filters: the list as one has saved it for oneself, and what can be done with the view that is shown. */
export function SavedViews({ list }: { list: Viewed }) {
  const { t } = useWords()
  const { loaded, views, current } = useViews(list)
  const isPlain = list.shown === ''
  const [asked, setAsked] = useState<AskedView>()
  const links = useRef<HTMLUListElement>(null)
  // The button that opened the dialog is gone once its work is done: the focus goes to the view that is shown then.
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    setDone(false)
    links.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [isDone])
  if (loaded.state === 'failed')
    return (
      <p className={styles.failed} role="status">
        {t('console.views.failed')} <TextButton onClick={loaded.retry}>{t('forms.retry')}</TextButton>
      </p>
    )
  if (loaded.state === 'loading') return <div className={styles.row} aria-hidden="true" />
  return (
    <div className={styles.row}>
      <nav className={styles.views} aria-label={t('console.views')}>
        <ul ref={links}>
          <li>
            <a href={list.path} aria-current={current || !isPlain ? undefined : 'true'} onClick={openInPlace}>
              {t('console.views.all')}
            </a>
          </li>
          {views.map(({ id, name, address, isCurrent }) => (
            <li key={id}>
              <a href={address} aria-current={isCurrent ? 'true' : undefined} onClick={openInPlace}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.actions}>
        {!current && !isPlain && (
          <TextButton onClick={() => setAsked({ step: 'save', query: list.shown })}>
            {t('console.views.save')}
          </TextButton>
        )}
        {current && (
          <>
            <TextButton onClick={() => setAsked({ step: 'rename', view: current })}>
              {t('console.views.rename')}
            </TextButton>
            <TextButton onClick={() => setAsked({ step: 'drop', view: current })}>
              {t('console.views.drop')}
            </TextButton>
          </>
        )}
      </div>
      {asked && (
        <ViewDialog
          asked={asked}
          list={list.name}
          views={loaded.data}
          onChanged={(changed) => {
            loaded.setData(changed)
            setDone(true)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

/** The list changes under the same heading: the focus stays, as it does when a filter is chosen. */
function openInPlace(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  void navigate(event.currentTarget.href, { inPlace: true })
}
