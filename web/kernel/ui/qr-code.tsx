import styles from './qr-code.module.css'
import { qrPath } from './qr-path.ts'

/** The modules of a code, row by row. True is dark. */
export type Qr = { data: boolean[][]; size: number }

/** Dark on light on every page, because not every scanner reads inverted codes. */
export function QrCode({ qr, label }: { qr: Qr; label: string }) {
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${qr.size} ${qr.size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={qrPath(qr.data)} />
    </svg>
  )
}
