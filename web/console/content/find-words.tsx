import { useEffect, useState } from 'react'
import { contentHitsMax, findContent, type ContentHit } from '#contract/content-shapes.ts'
import { failureWords } from '../../actions/failure-words.ts'
import { call } from '../../call/call.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { htmlLanguage } from '../../i18n/language.ts'
import { useWords } from '../../i18n/words.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './content.module.css'
import { placeWords } from './facts/field-words.ts'
import { pathToPiece } from './piece-address.ts'
import { pagesText, usePieceName } from './piece-words.ts'

const patience = 200
const lengthMin = 2

type Found = { of: string; hits: readonly ContentHit[]; failure?: unknown }

/** A sentence from the site leads to the place where it is changed. */
export function FindWords() {
  const { t } = useWords()
  const nameOfPiece = usePieceName()
  const [words, setWords] = useState('')
  const [found, setFound] = useState<Found>({ of: '', hits: [] })
  const wanted = words.trim()
  const isWorthIt = wanted.length >= lengthMin || /\p{Script=Han}/u.test(wanted)
  useEffect(() => {
    if (!isWorthIt) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      call(findContent, { query: { q: wanted } }).then(
        (hits) => isCurrent && setFound({ of: wanted, hits }),
        (failure: unknown) => isCurrent && setFound({ of: wanted, hits: [], failure }),
      )
    }, patience)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [wanted, isWorthIt])
  const isKnown = found.of === wanted
  const hits = isWorthIt ? found.hits : []
  return (
    <section className={styles.find} aria-label={t('consoleContent.find')}>
      <TextField
        type="search"
        label={t('consoleContent.find')}
        help={t('consoleContent.find.help')}
        error={
          isWorthIt && isKnown && found.failure !== undefined ? failureWords(t, found.failure) : undefined
        }
        value={words}
        autoComplete="off"
        maxLength={boundsOf(findContent.query.shape.q).maxLength}
        onChange={({ target }) => setWords(target.value)}
      />
      <p className={styles.sign} role="status">
        {isWorthIt &&
          (isKnown
            ? found.failure === undefined &&
              (hits.length === contentHitsMax
                ? t('consoleContent.find.many', { count: hits.length })
                : t('consoleContent.find.count', { count: hits.length }))
            : t('forms.loading'))}
      </p>
      {hits.length > 0 && (
        <ul className={styles.hits}>
          {hits.map(({ piece, place, language, text }) => (
            <li key={`${piece} ${place}`}>
              <a href={pathToPiece(piece, place)} lang={language ? htmlLanguage[language] : undefined}>
                {text}
              </a>
              <span className={styles.sign}>
                {nameOfPiece(piece)} · {placeWords(t, piece, place)}
                {pagesText(t, piece) && ` · ${t('consoleContent.stands', { pages: pagesText(t, piece) })}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
