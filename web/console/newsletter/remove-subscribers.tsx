import { removeReason, removeSubscriber, type ConsoleSubscriber } from '#contract/newsletter.ts'
import { call, CallFailed } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { ReasonDialog } from '../detail/reason-dialog.tsx'

async function end(id: string, reason: string): Promise<void> {
  try {
    await call(removeSubscriber, { body: { id, reason } })
  } catch (failure) {
    const hasEnded = failure instanceof CallFailed && ['conflict', 'not_found'].includes(failure.code)
    if (!hasEnded) throw failure
  }
}

/** Removes subscriptions for one reason. Subscriptions that ended in the meantime stay unchanged. */
export function RemoveSubscribers({
  rows,
  onClose,
}: {
  rows: readonly ConsoleSubscriber[]
  onClose: (hasRun: boolean) => void
}) {
  const { t } = useMessages()
  return (
    <ReasonDialog
      title={t('consoleNewsletter.remove')}
      label={t('consoleNewsletter.remove')}
      kind="danger"
      text={t('consoleNewsletter.remove.text')}
      reason={{
        label: t('consoleNewsletter.reason'),
        help: t('consoleNewsletter.remove.help'),
        schema: removeReason,
      }}
      step={async (reason) => {
        for (const { id } of rows.filter(({ state }) => state !== 'ended')) await end(id, reason)
      }}
      onDone={() => {
        showNotice(t('consoleNewsletter.remove.done'), 'success')
        onClose(true)
      }}
      onClose={() => onClose(false)}
    />
  )
}
