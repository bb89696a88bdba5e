import { useState } from 'react'
import { setAmbassadorStatus } from '#contract/console-ambassador-profiles.ts'
import { call } from '../../call/call.ts'
import type { KeyTaking, PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import type { AmbassadorActionProps } from './ambassador-profile-page.tsx'
import styles from './ambassador-profiles.module.css'
import { BoardReasonDialog } from './board-reason-dialog.tsx'
import { nameIn } from './name-in.ts'

const actions = {
  hide: {
    to: 'hidden',
    offer: 'consoleAmbassadorProfiles.hide',
    title: 'consoleAmbassadorProfiles.hide.title',
    text: 'consoleAmbassadorProfiles.hide.text',
    label: 'consoleAmbassadorProfiles.hide.do',
    done: 'consoleAmbassadorProfiles.hidden',
  },
  show: {
    to: 'active',
    offer: 'consoleAmbassadorProfiles.show',
    title: 'consoleAmbassadorProfiles.show.title',
    text: 'consoleAmbassadorProfiles.show.text',
    label: 'consoleAmbassadorProfiles.show.do',
    done: 'consoleAmbassadorProfiles.shown',
  },
  end: {
    to: 'ended',
    offer: 'consoleAmbassadorProfiles.end',
    title: 'consoleAmbassadorProfiles.end.title',
    text: 'consoleAmbassadorProfiles.end.text',
    label: 'consoleAmbassadorProfiles.end.do',
    done: 'consoleAmbassadorProfiles.ended',
  },
} as const satisfies Record<
  string,
  Record<'offer' | 'done', PlainKey> &
    Record<'title' | 'text' | 'label', KeyTaking<'name'>> & { to: 'hidden' | 'active' | 'ended' }
>

type Action = keyof typeof actions

const textOf = (action: Action, slug: string | null) =>
  action === 'end' && slug === null ? 'consoleAmbassadorProfiles.end.textUnlisted' : actions[action].text

/** Hides the profile, shows it again, or ends the ambassadorship, each with a reason. */
export function StandingActions({ ambassador, onChanged, onStale }: AmbassadorActionProps) {
  const { t, language } = useMessages()
  const [openDialog, setOpenDialog] = useState<Action | null>(null)
  const { id, standing, slug } = ambassador
  const name = nameIn(ambassador, language)
  const isHidden = standing === 'hidden'
  const offered: Action[] = isHidden ? ['show', 'end'] : standing === 'public' ? ['hide', 'end'] : ['end']
  return (
    <div className={styles.actions}>
      {offered.map((action) => (
        <Button
          key={action}
          kind={action === 'end' ? 'danger' : 'quiet'}
          onClick={() => setOpenDialog(action)}
        >
          {t(actions[action].offer)}
        </Button>
      ))}
      {openDialog && (
        <BoardReasonDialog
          title={t(actions[openDialog].title, { name })}
          text={t(textOf(openDialog, slug), { name })}
          label={t(actions[openDialog].label)}
          kind={openDialog === 'end' ? 'danger' : 'primary'}
          step={(reason) =>
            call(setAmbassadorStatus, {
              params: { id },
              body: { from: isHidden ? 'hidden' : 'active', to: actions[openDialog].to, reason },
            })
          }
          onDone={(latest) => {
            showNotice(t(actions[openDialog].done), 'success')
            onChanged(latest)
          }}
          onStale={onStale}
          onClose={() => setOpenDialog(null)}
        />
      )}
    </div>
  )
}
