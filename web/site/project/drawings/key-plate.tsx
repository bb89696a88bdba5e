import { guilloche } from '../../../kernel/brand/guilloche.ts'
import styles from './drawings.module.css'

const columns = 6
const pitch = 100

/** 24 different seals in a fixed order, which represent the words of a backup. */
const seals = Array.from({ length: 24 }, (_, at) =>
  guilloche({
    inner: 5 + (at % 3) * 5,
    outer: 34,
    lobes: [7, 13, 11, 17, 19][at % 5]!,
    turns: 2 + (at % 4),
    lean: at % 2 === 0 ? 0 : 12,
    precision: 3,
  }),
)

export function KeyPlate({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 600 400" aria-hidden="true">
      {seals.map((seal, at) => (
        <g
          key={seal}
          transform={`translate(${(at % columns) * pitch + 50} ${Math.floor(at / columns) * pitch + 46})`}
        >
          <path className={at % 3 === 1 ? styles.verdigris : styles.copper} d={seal} />
          <text className={styles.numeral} y="49" textAnchor="middle">
            {at + 1}
          </text>
        </g>
      ))}
    </svg>
  )
}
