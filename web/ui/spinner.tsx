import styles from './spinner.module.css'

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
