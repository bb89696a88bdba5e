import type { ReactNode } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import styles from './health.module.css'

/** A group with its number of items and its status. It is folded unless something in it needs attention. */
export function HealthGroup({
  heading,
  headingLevel: Heading = 'h2',
  count,
  isGood,
  children,
}: {
  heading: ReactNode
  headingLevel?: 'h2' | 'h3'
  count: number
  isGood: boolean
  children: ReactNode
}) {
  const { t, formatNumber } = useMessages()
  return (
    <details className={styles.group} open={!isGood}>
      <summary>
        <Heading>{heading}</Heading> <span className={styles.count}>{formatNumber(count)}</span>{' '}
        <Tag colour={isGood ? 'green' : 'yellow'}>
          {t(isGood ? 'health.state.good' : 'health.state.attention')}
        </Tag>
      </summary>
      {children}
    </details>
  )
}
