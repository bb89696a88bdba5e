import { useEffect, useState } from 'react'
import { listFourEyes, type FourEyesArea, type FourEyesState } from '#contract/people/four-eyes.ts'
import { callUnseen } from '../../kernel/call/call.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import styles from './four-eyes-notes.module.css'

const labels: Readonly<Record<FourEyesArea, Readonly<Record<FourEyesState['cause'], PlainKey>>>> = {
  orders: { setting: 'console.fourEyes.orders.setting', staff: 'console.fourEyes.orders.staff' },
  sale: { setting: 'console.fourEyes.sale.setting', staff: 'console.fourEyes.sale.staff' },
  content: { setting: 'console.fourEyes.content.setting', staff: 'console.fourEyes.content.staff' },
  identity: { setting: 'console.fourEyes.identity.setting', staff: 'console.fourEyes.identity.staff' },
}

/** Shows which of these decisions one person can currently make alone, and why. */
export function FourEyesNotes({ areas }: { areas: readonly FourEyesArea[] }) {
  const { t } = useMessages()
  const [states, setStates] = useState<readonly FourEyesState[]>([])
  useEffect(() => {
    let isGone = false
    // If this fails to load, the page is shown without it: nobody requested it, and the health page shows the same.
    callUnseen(listFourEyes, {}).then(
      (found) => isGone || setStates(found),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [])
  const off = states.filter(({ area, isOn }) => !isOn && areas.includes(area))
  if (off.length === 0) return null
  return (
    <div className={styles.notes}>
      <Message kind="note">
        {off.map(({ area, cause }) => (
          <p key={area}>{t(labels[area][cause])}</p>
        ))}
      </Message>
    </div>
  )
}
