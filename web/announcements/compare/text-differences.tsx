import { Fragment, useState } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { TextButton } from '../../kernel/ui/button.tsx'
import styles from './comparison.module.css'
import { lineOfTexts } from './differences.ts'
import { Pair, type Named } from './pair.tsx'

type TextDifference = { key: string; label: string; from: string | null; to: string | null }

/** Longer lists are collapsed until the reader expands them. */
const shownMax = 20

/** Differing texts, each under its label, side by side with the changed words marked. */
export function TextDifferences({
  differences,
  before,
  after,
}: {
  differences: readonly TextDifference[]
  before: Named
  after: Named
}) {
  const { t } = useMessages()
  const [isWhole, setIsWhole] = useState(false)
  const visible = isWhole ? differences : differences.slice(0, shownMax)
  return (
    <div className={styles.comparison}>
      <div className={styles.names} aria-hidden="true">
        <p>{before.name}</p>
        <p>{after.name}</p>
      </div>
      {differences.length === 0 && <p className={styles.note}>{t('newsroom.compare.same')}</p>}
      {visible.map(({ key, label, from, to }) => (
        <Fragment key={key}>
          <p className={styles.field}>{label}</p>
          <Pair line={lineOfTexts(from ?? '', to ?? '')} before={before} after={after} />
        </Fragment>
      ))}
      {differences.length > shownMax && (
        <p>
          <TextButton aria-pressed={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {t(isWhole ? 'newsroom.compare.onlyChanges' : 'newsroom.compare.whole')}
          </TextButton>
        </p>
      )}
    </div>
  )
}
