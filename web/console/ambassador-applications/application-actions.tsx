import { useState, type FormEvent } from 'react'
import {
  acceptAmbassadorApplication,
  assignAmbassadorApplication,
  eraseAmbassadorApplication,
  listApplicationColleagues,
  reviewAmbassadorApplication,
  type ApplicationDetail,
} from '#contract/console-ambassadors.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import type { Act, ActionList } from '../detail/detail-actions.tsx'
import type { DetailContext } from '../detail/detail-page.tsx'
import { languageLabel } from '../language-label.ts'
import styles from './applications.module.css'
import { DeclineDialog } from './decline-dialogs.tsx'

type Context = DetailContext<ApplicationDetail>

export function applicationActions(of: Context): ActionList<ApplicationDetail> {
  const { t, record } = of
  const { status, isErasable, ambassadorId, lastUpdated, assignee } = record
  const params = { id: record.id }
  const seen = { params, body: { lastUpdated } }
  const isOpen = status === 'received' || status === 'in_review'
  return {
    before: (act, isBusy) =>
      isOpen && <AssignForm key={assignee?.id ?? ''} of={of} act={act} isBusy={isBusy} />,
    actions: [
      {
        words: 'consoleAmbassadors.review',
        isOffered: status === 'received',
        kind: 'primary',
        isImmediate: true,
        step: () => call(reviewAmbassadorApplication, seen),
      },
      {
        words: 'consoleAmbassadors.accept',
        isOffered: status === 'in_review',
        kind: 'primary',
        text: t('consoleAmbassadors.accept.text', { language: languageLabel(t, record.language) }),
        step: () => call(acceptAmbassadorApplication, seen),
      },
      {
        words: 'consoleAmbassadors.decline',
        isOffered: isOpen,
        kind: 'danger',
        dialog: (tools) => <DeclineDialog application={record} {...tools} />,
      },
      {
        words: 'consoleAmbassadors.erase',
        isOffered: isErasable,
        confirmKind: 'danger',
        more: ambassadorId && <p>{t('consoleAmbassadors.erase.invitation')}</p>,
        step: () => call(eraseAmbassadorApplication, { params }),
        next: 'leave',
      },
    ],
    after: status === 'accepted' && ambassadorId && (
      <p>{t(isErasable ? 'consoleAmbassadors.invited' : 'consoleAmbassadors.accepted')}</p>
    ),
  }
}

type AssignProps = { of: Context; act: Act<ApplicationDetail>; isBusy: boolean }

/** Assigns the application to a colleague who can act on it. */
function AssignForm({ of: { t, record, reader }, act, isBusy }: AssignProps) {
  const { id, assignee, lastUpdated } = record
  const held = assignee?.id ?? ''
  const [chosen, setChosen] = useState(held)
  const loaded = useLoaded('', () => call(listApplicationColleagues, {}))
  const colleagues = loaded.state === 'ready' ? loaded.data : []
  // The current assignee stays in the list even without the right to act.
  const known = [...colleagues, ...(assignee ? [assignee] : []), { id: reader.id, name: reader.displayName }]
  const choices = [...new Map(known.toReversed().map((each) => [each.id, each])).values()]
  const assign = (event: FormEvent) => {
    event.preventDefault()
    const body = { to: chosen || null, lastUpdated }
    const notice = chosen ? 'consoleAmbassadors.assigned.done' : 'consoleAmbassadors.released.done'
    act(call(assignAmbassadorApplication, { params: { id }, body }), () => t(notice))
  }
  return (
    <form className={styles.assign} onSubmit={assign}>
      <Select
        label={t('consoleAmbassadors.assignee')}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">{t('consoleAmbassadors.assignee.nobody')}</option>
        {choices.map((each) => (
          <option key={each.id} value={each.id}>
            {each.id === reader.id
              ? t('consoleAmbassadors.assignee.you')
              : (each.name ?? t('console.formerColleague'))}
          </option>
        ))}
      </Select>
      <Button type="submit" kind="quiet" busy={isBusy} disabled={chosen === held}>
        {t('consoleAmbassadors.assign')}
      </Button>
    </form>
  )
}
