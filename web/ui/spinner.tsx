import styles from './spinner.module.css'

const petals = [0, 30, 60, 90, 120, 150]

/** A small turning rosette. Decorative: describe in nearby text what is going on. */
export function Spinner({ size = 20 }: { size?: number }) {
  return (
    <svg className={styles.spinner} width={size} height={size} viewBox="-12 -12 24 24" aria-hidden="true">
      {petals.map((angle) => (
        <ellipse key={angle} rx="11" ry="4" transform={`rotate(${angle})`} />
      ))}
    </svg>
  )
}
