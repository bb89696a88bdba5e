import { setConsoleStart } from '#contract/people/sessions.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { call } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { showNotice } from '../kernel/notices/notices.ts'
import { consolePath } from '../kernel/routes/console-path.ts'
import { updateMember } from '../kernel/session/keep-session.ts'
import { Checkbox } from '../kernel/ui/field.tsx'

/** Where signing in leads a staff member. The choice is saved at once. */
export function ConsoleStartPart({ opensConsole }: { opensConsole: boolean }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const choose = (isWanted: boolean) =>
    void run(async () => {
      const saved = await call(setConsoleStart, { body: { opensConsole: isWanted } })
      updateMember(saved)
      showNotice(t(saved.opensConsole ? 'account.console.on' : 'account.console.off'), 'success')
    })
  return (
    <>
      <Checkbox
        label={t('account.console.label')}
        help={t('account.console.help')}
        error={error}
        checked={opensConsole}
        disabled={isBusy}
        onChange={(event) => choose(event.target.checked)}
      />
      <p>
        <a href={consolePath}>{t('account.console.open')}</a>
      </p>
    </>
  )
}
