import styles from './loading.module.css'
import { Spinner } from './spinner.tsx'

/** A loading indicator. It appears after a delay, so that it does not flicker if the response is quick. */
export function Loading({ label }: { label: string }) {
  return (
    <p className={styles.loading} role="status">
      <Spinner size={32} />
      {label}
    </p>
  )
}
