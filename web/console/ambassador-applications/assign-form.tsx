import { useState, type FormEvent } from 'react'
import { listApplicationColleagues, type ApplicationDetail } from '#contract/console-ambassadors.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import type { Member } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import styles from './applications.module.css'

/** Assigns the application to a colleague who can act on it. */
export function AssignForm({
  assignee,
  reader,
  isBusy,
  onAssign,
}: {
  assignee: ApplicationDetail['assignee']
  reader: Member
  isBusy: boolean
  onAssign: (to: string | null) => void
}) {
  const { t } = useMessages()
  const held = assignee?.id ?? ''
  const [chosen, setChosen] = useState(held)
  const loaded = useLoaded('', () => call(listApplicationColleagues, {}))
  const colleagues = loaded.state === 'ready' ? loaded.data : []
  // The current assignee stays in the list even without the right to act.
  const known = [...colleagues, ...(assignee ? [assignee] : []), { id: reader.id, name: reader.displayName }]
  const choices = [...new Map(known.toReversed().map((each) => [each.id, each])).values()]
  const assign = (event: FormEvent) => {
    event.preventDefault()
    onAssign(chosen || null)
  }
  return (
    <form className={styles.assign} onSubmit={assign}>
      <Select
        label={t('consoleAmbassadors.assignee')}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">{t('consoleAmbassadors.assignee.nobody')}</option>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {id === reader.id ? t('consoleAmbassadors.assignee.you') : (name ?? t('console.formerColleague'))}
          </option>
        ))}
      </Select>
      <Button type="submit" kind="quiet" busy={isBusy} disabled={chosen === held}>
        {t('consoleAmbassadors.assign')}
      </Button>
    </form>
  )
}
