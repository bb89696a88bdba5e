import type { PlainKey } from '../i18n/message-key.ts'
import { useWords } from '../i18n/words.tsx'
import { Message } from '../ui/form-status.tsx'
import styles from './stale-state.module.css'

/** Label and text of each thing that may differ, the same labels in the same order for every state. */
export type StateLines = readonly (readonly [label: PlainKey, text: string])[]

/** What was on the screen beside what is so now, where somebody else was faster. */
export function StaleState({ seen, now }: { seen: StateLines; now: StateLines }) {
  const { t } = useWords()
  const differing = now.flatMap(([label, is], at) => {
    const was = seen[at]?.[1] ?? ''
    return was === is ? [] : [{ label, was, is }]
  })
  return (
    <Message kind="bad" role="alert">
      <p>{t('console.stale')}</p>
      {differing.length > 0 && (
        <table className={styles.stale}>
          <thead>
            <tr>
              <th scope="col">{t('console.stale.field')}</th>
              <th scope="col">{t('console.stale.seen')}</th>
              <th scope="col">{t('console.stale.now')}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ label, was, is }) => (
              <tr key={label}>
                <th scope="row">{t(label)}</th>
                <td>{was}</td>
                <td>{is}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>{t('console.stale.again')}</p>
    </Message>
  )
}
