import { useEffect, useRef } from 'react'
import type { PostedReminder } from '#contract/money/public-sale.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import styles from './sale.module.css'

type DoneStep = Extract<PostedReminder['reminder'], { done: string }>['done']

export function ReminderDone({
  done,
  days,
  as: Heading = 'h3',
}: {
  done: DoneStep
  days: number
  as?: 'h2' | 'h3'
}) {
  const { t } = useMessages()
  const heading = useRef<HTMLHeadingElement>(null)
  // The focus was on a button that is now gone.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles.done} role="status">
      <Heading ref={heading} tabIndex={-1}>
        {t(`sale.reminder.${done}.heading`)}
      </Heading>
      <p>{t(`sale.reminder.${done}.text`, { days })}</p>
    </div>
  )
}
