import { useMessages } from '../i18n/messages.tsx'
import styles from './count-badge.module.css'
import { Hidden } from './hidden.tsx'

type Props = {
  count: number
  /** Larger counts are shown as this number followed by a plus sign. */
  max: number
  /** The text for screen readers. */
  label: (shown: string) => string
}

/** A number next to a navigation entry. Nothing if it is zero. */
export function CountBadge({ count, max, label }: Props) {
  const { formatNumber } = useMessages()
  if (count === 0) return null
  const shown = count > max ? `${max}+` : formatNumber(count)
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{shown}</span>
      <Hidden>{label(shown)}</Hidden>
    </span>
  )
}
