import { useEffect, useRef, useState } from 'react'
import { makeContentPreview } from '#contract/console-content.ts'
import { languages, type Language } from '#contract/languages.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { labelOf, pathIn, type RouteName } from '../../routes/routes.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Loading } from '../../ui/loading.tsx'
import { languageWord } from './facts/field-words.ts'
import { pagesOf, previewPages } from './piece-address.ts'
import styles from './preview.module.css'

const widths = ['phone', 'desktop'] as const
type Width = (typeof widths)[number]

/**
 * A page of the site as it would be with all drafts, at the width of a phone or of a desktop. It stands below a long form:
 * whoever asks for it is led there, to what failed as well.
 */
export function PreviewFrame(props: { piece: string; version: number }) {
  const { t } = useWords()
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

function Preview({ piece, version }: { piece: string; version: number }) {
  const { t, language: spoken } = useWords()
  const pages = previewPages()
  const [page, setPage] = useState<RouteName>(
    () => pagesOf(piece).find((name) => pages.includes(name)) ?? 'home',
  )
  const [language, setLanguage] = useState<Language>(spoken)
  const [width, setWidth] = useState<Width>('phone')
  const loaded = useLoaded('content preview', () => call(makeContentPreview, { body: {} }))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <LoadFailed title={t('consoleContent.preview.failed')} failure={loaded.failure} retry={loaded.retry} />
    )
  const { address } = loaded.data
  const source = address + pathIn(language, page).replace(/^\//, '')
  return (
    <>
      <div className={styles.tools}>
        <Select
          label={t('consoleContent.preview.page')}
          value={page}
          onChange={({ target }) => setPage(target.value as RouteName)}
        >
          {pages.map((name) => (
            <option key={name} value={name}>
              {t(labelOf(name))}
            </option>
          ))}
        </Select>
        <Choice
          label={t('consoleContent.preview.language')}
          name="preview-language"
          options={languages.map((each) => ({ value: each, label: languageWord(t, each) }))}
          chosen={language}
          onChoose={setLanguage}
        />
        <Choice
          label={t('consoleContent.preview.width')}
          name="preview-width"
          options={widths.map((each) => ({
            value: each,
            label: t(each === 'phone' ? 'consoleContent.preview.phone' : 'consoleContent.preview.desktop'),
          }))}
          chosen={width}
          onChoose={setWidth}
        />
        {/* After half an hour, and for another address. */}
        <Button kind="quiet" onClick={loaded.reload}>
          {t('consoleContent.preview.again')}
        </Button>
      </div>
      <p className={styles.note}>{t('consoleContent.preview.note')}</p>
      <div className={styles.room} data-width={width}>
        <iframe
          // What was saved since is shown at once.
          key={`${source} ${version}`}
          className={styles.frame}
          // Its own policy lets nothing run; of its origin it must be to load its styles.
          sandbox="allow-same-origin"
          src={source}
          title={t('consoleContent.preview.title', { page: t(labelOf(page)) })}
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

function Choice<Value extends string>({
  label,
  name,
  options,
  chosen,
  onChoose,
}: {
  label: string
  name: string
  options: readonly { value: Value; label: string }[]
  chosen: Value
  onChoose: (value: Value) => void
}) {
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === chosen}
            onChange={() => onChoose(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
