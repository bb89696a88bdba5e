import { useId } from 'react'
import { Woven } from '../../../kernel/brand/woven.tsx'
import styles from './drawings.module.css'

const turn = 2 * Math.PI
const written = (value: number) => String(Math.round(value * 100) / 100)
const pointAt = (part: number, radius: number) =>
  `${written(radius * Math.sin(part * turn))} ${written(-radius * Math.cos(part * turn))}`

/** The segment of a circle between two fractions of a turn, clockwise from the top. */
const slice = (from: number, to: number) =>
  `M0 0L${pointAt(from, 110)}A110 110 0 ${to - from > 0.5 ? 1 : 0} 1 ${pointAt(to, 110)}z`

const gap = 0.006
/** Validators receive a tenth of rewards and fees, miners the rest. */
const validators = { from: 0.04, to: 0.14 }
const nodes = Array.from({ length: 60 }, (_, at) => at / 60)

/** A ring of earnings, split into nine parts and one, surrounded by nodes that check both without pay. */
export function ForcesDrawing({ className }: { className?: string | undefined }) {
  const id = useId()
  return (
    <svg className={className} viewBox="-112 -112 224 224" aria-hidden="true">
      <clipPath id={`${id}miners`}>
        <path d={slice(validators.to + gap, validators.from + 1 - gap)} />
      </clipPath>
      <clipPath id={`${id}validators`}>
        <path d={slice(validators.from, validators.to)} />
      </clipPath>
      <g clipPath={`url(#${id}miners)`}>
        <Woven
          figure={{ inner: 44, outer: 94, lobes: 15, lean: 5 }}
          times={16}
          twist={24 / 16}
          className={styles.copper}
        />
      </g>
      <g clipPath={`url(#${id}validators)`}>
        <Woven
          figure={{ inner: 44, outer: 94, lobes: 20 }}
          times={12}
          twist={18 / 12}
          className={styles.verdigris}
        />
      </g>
      <circle r="104" className={styles.quiet} />
      {nodes.map((part) => {
        const [cx, cy] = pointAt(part, 104).split(' ')
        return <circle key={part} cx={cx} cy={cy} r="1.7" className={styles.node} />
      })}
    </svg>
  )
}
