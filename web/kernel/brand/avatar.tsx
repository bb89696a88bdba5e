import styles from './brand.module.css'
import { Drawing, type DrawingProps } from './drawing.tsx'
import { guilloche, rosetteFor } from './guilloche.ts'

/** The rosette of a person without a photo. The same name always gets the same one. */
export function Avatar({ name, size = 64, ...drawing }: DrawingProps & { name: string }) {
  const [band, core] = rosetteFor(name)
  // Keeps the lines away from the edge of the disk.
  return (
    <Drawing radius={116} size={size} {...drawing}>
      <circle className={styles.disc} r={115} />
      <path className={`${styles.line} ${styles.copper}`} d={guilloche(band)} />
      <path className={`${styles.line} ${styles.verdigris}`} d={guilloche(core)} />
    </Drawing>
  )
}
