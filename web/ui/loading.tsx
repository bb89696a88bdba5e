import styles from './loading.module.css'
import { Spinner } from './spinner.tsx'

/** Something is on its way. Appears after a moment, so that a quick answer does not flicker. */
export function Loading({ label }: { label: string }) {
  return (
    <p className={styles.loading} role="status">
      <Spinner size={32} />
      {label}
    </p>
  )
}
