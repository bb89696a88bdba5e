import { useEffect, useState } from 'react'
import { contentHitsMax, findContent, type ContentHit } from '#contract/content-shapes.ts'
import { failureMessage } from '../../actions/failure-message.ts'
import { call } from '../../call/call.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { htmlLanguage } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './content.module.css'
import { placeLabel } from './facts/field-labels.ts'
import { pathToItem } from './item-address.ts'
import { pagesText, useItemName } from './item-labels.ts'

/** Milliseconds without typing before a search starts. */
const pause = 200
const lengthMin = 2

type Found = { of: string; hits: readonly ContentHit[]; failure?: unknown }

/** Searches the content shortly after the last keystroke. The previous results stay until the next ones arrive. */
function useFound(wanted: string): Found & { isWorthIt: boolean } {
  const [found, setFound] = useState<Found>({ of: '', hits: [] })
  const isWorthIt = wanted.length >= lengthMin || /\p{Script=Han}/u.test(wanted)
  useEffect(() => {
    if (!isWorthIt) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      call(findContent, { query: { q: wanted } }).then(
        (hits) => isCurrent && setFound({ of: wanted, hits }),
        (failure: unknown) => isCurrent && setFound({ of: wanted, hits: [], failure }),
      )
    }, pause)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [wanted, isWorthIt])
  return isWorthIt ? { ...found, isWorthIt } : { of: wanted, hits: [], isWorthIt }
}

/** Finds a sentence of the site and links to the place where it is edited. */
export function FindMessages() {
  const { t } = useMessages()
  const [words, setWords] = useState('')
  const { of, hits, failure, isWorthIt } = useFound(words.trim())
  const isKnown = of === words.trim()
  const countKey = hits.length === contentHitsMax ? 'consoleContent.find.many' : 'consoleContent.find.count'
  return (
    <section className={styles.find} aria-label={t('consoleContent.find')}>
      <TextField
        type="search"
        label={t('consoleContent.find')}
        help={t('consoleContent.find.help')}
        error={isKnown && failure !== undefined ? failureMessage(t, failure) : undefined}
        value={words}
        autoComplete="off"
        maxLength={boundsOf(findContent.query.shape.q).maxLength}
        onChange={({ target }) => setWords(target.value)}
      />
      <p className={styles.sign} role="status">
        {isWorthIt &&
          (isKnown ? failure === undefined && t(countKey, { count: hits.length }) : t('forms.loading'))}
      </p>
      {hits.length > 0 && (
        <ul className={styles.hits}>
          {hits.map((hit) => (
            <Hit key={`${hit.piece} ${hit.place}`} hit={hit} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Hit({ hit: { piece, place, language, text } }: { hit: ContentHit }) {
  const { t } = useMessages()
  const nameOfItem = useItemName()
  const pages = pagesText(t, piece)
  return (
    <li>
      <a href={pathToItem(piece, place)} lang={language ? htmlLanguage[language] : undefined}>
        {text}
      </a>
      <span className={styles.sign}>
        {nameOfItem(piece)} · {placeLabel(t, piece, place)}
        {pages && ` · ${t('consoleContent.stands', { pages })}`}
      </span>
    </li>
  )
}
