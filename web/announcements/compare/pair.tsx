import type { ReactNode } from 'react'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Hidden } from '../../kernel/layout/hidden.tsx'
import styles from './comparison.module.css'
import type { Line, Side, Words } from './differences.ts'

/** `short` labels each text when the two are not shown side by side. */
export type Named = { name: ReactNode; short?: ReactNode }

/** One line of two texts, shown once if it is the same, otherwise side by side with the differing words marked. */
export function Pair({ line, before, after }: { line: Line; before: Named; after: Named }) {
  const { t } = useMessages()
  if (line.same)
    return (
      <div className={styles.same} data-kind={line.kind}>
        {kindLabels[line.kind] && <span className={styles.kind}>{t(kindLabels[line.kind]!)}</span>}
        {line.text}
      </div>
    )
  return (
    <div className={styles.pair}>
      <Cell side={line.before} name={before.short ?? before.name} mark="del" />
      <Cell side={line.after} name={after.short ?? after.name} mark="ins" />
      {line.isStyleOnly && <p className={styles.note}>{t('newsroom.compare.lookOnly')}</p>}
    </div>
  )
}

function Cell({ side, name, mark }: { side: Side | null; name: ReactNode; mark: 'ins' | 'del' }) {
  const { t } = useMessages()
  return (
    <div className={styles.cell} data-mark={mark} data-kind={side?.kind} data-empty={!side || undefined}>
      <span className={styles.name}>{name}</span>
      {side && kindLabels[side.kind] && <span className={styles.kind}>{t(kindLabels[side.kind]!)}</span>}
      {side ? (
        <p>
          {side.words.map((words, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one text, in order
            <Marked key={index} words={words} mark={mark} />
          ))}
        </p>
      ) : (
        <p className={styles.nothing}>{t('newsroom.compare.nothing')}</p>
      )}
    </div>
  )
}

/** Marked by element, by style, and in words for screen readers. */
function Marked({ words, mark }: { words: Words; mark: 'ins' | 'del' }) {
  const { t } = useMessages()
  if (!words.isOwn) return words.text
  const Mark = mark
  return (
    <Mark>
      <Hidden>{t(mark === 'ins' ? 'newsroom.compare.added' : 'newsroom.compare.removed')} </Hidden>
      {words.text}
      <Hidden> {t('newsroom.compare.end')}</Hidden>
    </Mark>
  )
}

const kindLabels: Readonly<Partial<Record<Side['kind'], PlainKey>>> = {
  picture: 'newsroom.compare.picture',
  video: 'newsroom.compare.video',
}
