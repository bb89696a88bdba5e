import type { PlainKey } from '../i18n/message-key.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Message } from '../ui/form-status.tsx'
import styles from './stale-state.module.css'

/** Label and text of each value that can differ. All states have the same labels in the same order. */
export type StateLines = readonly (readonly [label: PlainKey, text: string])[]

/** The displayed state next to the current one, after someone else acted first. */
export function StaleState({ seen, now }: { seen: StateLines; now: StateLines }) {
  const { t } = useMessages()
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
