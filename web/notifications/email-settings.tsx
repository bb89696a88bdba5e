import {
  optionalEmailAreas,
  readEmailChoices,
  saveEmailChoice,
  type EmailChoices,
  type OptionalEmailArea,
} from '#contract/platform/notifications.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useAction } from '../kernel/actions/use-action.ts'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { call } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { showNotice } from '../kernel/notices/notices.ts'
import { Checkbox } from '../kernel/ui/field.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import styles from './notifications.module.css'

/** The areas for which the member receives emails. Each choice is saved at once. */
export function EmailSettings({ memberId }: { memberId: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(memberId, () => call(readEmailChoices, {}))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <LoadFailed title={t('notifications.emails.failed')} failure={loaded.failure} retry={loaded.retry} />
    )
  return (
    <fieldset className={styles.choices}>
      <legend>{t('notifications.emails.legend')}</legend>
      {optionalEmailAreas.map((area) => (
        <AreaChoice key={area} area={area} isOn={loaded.data[area]} onSaved={loaded.setData} />
      ))}
      <Checkbox
        label={t('notifications.area.security')}
        help={t('notifications.emails.help.security')}
        checked
        disabled
        readOnly
      />
    </fieldset>
  )
}

type ChoiceProps = { area: OptionalEmailArea; isOn: boolean; onSaved: (choices: EmailChoices) => void }

function AreaChoice({ area, isOn, onSaved }: ChoiceProps) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const choose = (isWanted: boolean) =>
    void run(async () => {
      onSaved(await call(saveEmailChoice, { body: { area, isOn: isWanted } }))
      showNotice(t(isWanted ? 'notifications.emails.on' : 'notifications.emails.off'), 'success')
    })
  return (
    <Checkbox
      label={t(`notifications.area.${area}`)}
      help={t(`notifications.emails.help.${area}`)}
      error={error}
      checked={isOn}
      disabled={isBusy}
      onChange={(event) => choose(event.target.checked)}
    />
  )
}
