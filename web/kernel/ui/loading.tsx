import styles from './loading.module.css'

/** A loading indicator. It appears after a delay, so that it does not flicker if the response is quick. */
export function Loading({ label }: { label: string }) {
  return (
    <p className={styles.loading} role="status">
      <Spinner size={32} />
      {label}
    </p>
  )
}

const petals = [0, 30, 60, 90, 120, 150]

/** A small rotating rosette. It is decorative, so nearby text must say what is in progress. */
export function Spinner({ size = 20 }: { size?: number }) {
  return (
    <svg className={styles.spinner} width={size} height={size} viewBox="-12 -12 24 24" aria-hidden="true">
      {petals.map((angle) => (
        <ellipse key={angle} rx="11" ry="4" transform={`rotate(${angle})`} />
      ))}
    </svg>
  )
}
