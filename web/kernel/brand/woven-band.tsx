import { useId } from 'react'
import styles from './woven-band.module.css'

const wave = 48
const middle = 14
const swell = 12
const strands = 6

/**
 * A full wave that starts a fraction of a wave (`part`) early. Each half wave is one curve with handles at 4/3 of its
 * height.
 */
function strand(part: number): string {
  const start = Math.round(-part * wave)
  const handle = Math.round((swell * 4) / 3)
  const half = wave / 2
  const reach = Math.round(half * 0.364)
  const up = `c${reach} ${-handle} ${half - reach} ${-handle} ${half} 0`
  const down = `c${reach} ${handle} ${half - reach} ${handle} ${half} 0`
  return `M${start} ${middle}${up}${down}${up}${down}`
}

const path = Array.from({ length: strands }, (_, at) => strand(at / strands)).join('')

/** A decorative woven border as wide as its container, such as the edge of a certificate. */
export function WovenBand({ className }: { className?: string | undefined }) {
  const id = useId()
  return (
    <svg className={className} width="100%" height={2 * middle} aria-hidden="true">
      <pattern id={id} width={wave} height={2 * middle} patternUnits="userSpaceOnUse">
        <path className={styles.strands} d={path} />
      </pattern>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  )
}
