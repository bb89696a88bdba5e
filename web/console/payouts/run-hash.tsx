import { useMessages } from '../../kernel/i18n/messages.tsx'
import { CopyValue } from '../detail/copy-value.tsx'
import styles from './payouts.module.css'

/** The hash of a run as 8 groups of 8, so that two officers can compare it by eye or by phone. */
export function RunHash({ hash }: { hash: string }) {
  const { t } = useMessages()
  return (
    <CopyValue name={t('consolePayouts.hash')} text={hash}>
      <code className={styles.hash}>
        {(hash.match(/.{1,8}/g) ?? []).map((group, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- groups can be equal, and their order does not change
          <span key={index}>{group} </span>
        ))}
      </code>
    </CopyValue>
  )
}
