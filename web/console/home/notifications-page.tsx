import { useEffect, useState, type SubmitEvent } from 'react'
import {
  digestHour,
  markNotificationsSeen,
  readNotificationSettings,
  saveNotificationSettings,
  type AttentionItem,
  type NotificationSettings,
} from '#contract/console/console-home.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { page } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Checkbox } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import styles from './home.module.css'
import { itemsOf, WaitingItems } from './waiting-items.tsx'
import { loadWaiting } from './waiting.ts'

/** What is new, what else is waiting, and the settings for notifications. */
function NotificationsView() {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('console.nav.notifications')} lead={t('consoleHome.notifications.lead')} />
      {member && <Loaded />}
    </>
  )
}

function Loaded() {
  const { t } = useMessages()
  const loaded = useLoaded('notifications', async () => {
    const [waiting, settings] = await Promise.all([loadWaiting(), call(readNotificationSettings, {})])
    return { waiting, settings }
  })
  const isShown = loaded.state === 'ready'
  useEffect(() => {
    if (!isShown) return
    // What was new stays marked on this page. If this fails, it is marked again next time.
    call(markNotificationsSeen, { body: null })
      .then(loadWaiting)
      .catch(() => undefined)
  }, [isShown])
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleHome.waiting.failed')} />
  const { waiting, settings } = loaded.data
  const items = itemsOf(waiting).filter(({ isMuted }) => !isMuted)
  const parts = {
    new: items.filter(({ isNew }) => isNew),
    earlier: items.filter(({ isNew }) => !isNew),
  }
  return (
    <>
      {items.length === 0 && <p role="status">{t('consoleHome.waiting.none')}</p>}
      {(['new', 'earlier'] as const).map(
        (part) =>
          parts[part].length > 0 && (
            <section key={part} className={styles.section} aria-labelledby={part}>
              <h2 id={part}>{t(`consoleHome.notifications.${part}`)}</h2>
              <WaitingItems items={parts[part]} labelledBy={part} />
            </section>
          ),
      )}
      <PagePart id="settings" heading={t('consoleHome.notifications.settings')}>
        <SettingsForm
          kinds={waiting.flatMap(({ what }) => (what === 'orders_any' ? [] : [what]))}
          settings={settings}
        />
      </PagePart>
    </>
  )
}

type FormProps = { kinds: readonly AttentionItem[]; settings: NotificationSettings }

/** The kinds that the reader's levels allow. Choices about other kinds are kept. */
function SettingsForm({ kinds, settings }: FormProps) {
  const { t } = useMessages()
  const [chosen, setChosen] = useState(settings)
  const { isBusy, error, run } = useAction()
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    void run(async () => {
      setChosen(await call(saveNotificationSettings, { body: chosen }))
      showNotice(t('consoleHome.notifications.saved'), 'success')
      await loadWaiting()
    })
  }
  const choose = (what: AttentionItem, isWanted: boolean) => {
    const others = chosen.muted.filter((each) => each !== what)
    setChosen({ ...chosen, muted: isWanted ? others : [...others, what] })
  }
  return (
    <form method="post" className={styles.settings} onSubmit={save}>
      <fieldset>
        <legend>{t('consoleHome.notifications.kinds')}</legend>
        {kinds.length === 0 && <p>{t('consoleHome.notifications.noKinds')}</p>}
        {kinds.map((what) => (
          <Checkbox
            key={what}
            label={t(`consoleHome.waiting.${what}`)}
            checked={!chosen.muted.includes(what)}
            onChange={({ target }) => choose(what, target.checked)}
          />
        ))}
      </fieldset>
      <Checkbox
        label={t('consoleHome.notifications.digest')}
        help={t('consoleHome.notifications.digest.help', { hour: digestHour })}
        checked={chosen.hasDigest}
        onChange={({ target }) => setChosen({ ...chosen, hasDigest: target.checked })}
      />
      <div>
        <Button type="submit" busy={isBusy}>
          {t('consoleHome.notifications.save')}
        </Button>
      </div>
      <FormStatus error={error} />
    </form>
  )
}

export default page({ View: NotificationsView })
