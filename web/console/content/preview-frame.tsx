import { useEffect, useRef, useState } from 'react'
import { createContentPreview } from '#contract/publishing/console-content.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { labelOf, pathIn, type RouteName } from '../../kernel/routes/routes.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { RadioField, Select } from '../../kernel/ui/field.tsx'
import { languageWord } from './facts/field-labels.ts'
import { pagesOf, previewPages } from './item-address.ts'
import styles from './preview.module.css'

const widths = ['phone', 'desktop'] as const
type Width = (typeof widths)[number]

/**
 * A page of the site with all drafts applied, in phone or desktop width. It is below a long form, so opening it scrolls
 * there, even after a failure.
 */
export function PreviewFrame(props: { piece: string; version: number }) {
  const { t } = useMessages()
  const top = useRef<HTMLElement>(null)
  useEffect(() => {
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <section ref={top} tabIndex={-1} className={styles.preview} aria-label={t('consoleContent.preview')}>
      <Preview {...props} />
    </section>
  )
}

type View = { page: RouteName; language: Language; width: Width }

function Preview({ piece, version }: { piece: string; version: number }) {
  const { t, language } = useMessages()
  const pages = previewPages()
  const [view, setView] = useState<View>(() => ({
    page: pagesOf(piece).find((name) => pages.includes(name)) ?? 'home',
    language,
    width: 'phone',
  }))
  const loaded = useLoaded('content preview', () => call(createContentPreview, { body: {} }))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleContent.preview.failed')} />
  const source = loaded.data.address + pathIn(view.language, view.page).replace(/^\//, '')
  return (
    <>
      <Tools view={view} onView={setView} onReload={loaded.reload} />
      <p className={styles.note}>{t('consoleContent.preview.note')}</p>
      <div className={styles.room} data-width={view.width}>
        <iframe
          // Later saves reload the frame immediately.
          key={`${source} ${version}`}
          className={styles.frame}
          // The preview's own policy blocks scripts. It needs its origin to load style sheets.
          sandbox="allow-same-origin"
          src={source}
          title={t('consoleContent.preview.title', { page: t(labelOf(view.page)) })}
        />
      </div>
      <p>
        <a href={source} target="_blank" rel="noreferrer">
          {t('consoleContent.preview.open')}
        </a>
      </p>
    </>
  )
}

/** Chooses the page, language, and width of a preview. */
function Tools({
  view,
  onView,
  onReload,
}: {
  view: View
  onView: (view: View) => void
  onReload: () => void
}) {
  const { t } = useMessages()
  return (
    <div className={styles.tools}>
      <Select
        label={t('consoleContent.preview.page')}
        value={view.page}
        onChange={({ target }) => onView({ ...view, page: target.value as RouteName })}
      >
        {previewPages().map((name) => (
          <option key={name} value={name}>
            {t(labelOf(name))}
          </option>
        ))}
      </Select>
      <RadioField
        label={t('consoleContent.preview.language')}
        options={languages.map((each) => ({ value: each, label: languageWord(t, each) }))}
        chosen={view.language}
        onChoose={(language) => onView({ ...view, language })}
      />
      <RadioField
        label={t('consoleContent.preview.width')}
        options={widths.map((each) => ({ value: each, label: t(`consoleContent.preview.${each}`) }))}
        chosen={view.width}
        onChoose={(width) => onView({ ...view, width })}
      />
      {/* A preview link expires after 30 minutes. */}
      <Button kind="quiet" onClick={onReload}>
        {t('consoleContent.preview.again')}
      </Button>
    </div>
  )
}
