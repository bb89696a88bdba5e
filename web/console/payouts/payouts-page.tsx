import { getPayoutHold, type PayoutHold } from '#contract/money/payouts.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { useSession, type Member } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import { useActionDialog } from '../use-asked-action.ts'
import { HoldDialog } from './hold-dialogs.tsx'
import { HoldNotice } from './hold-notice.tsx'
import { payoutsList } from './payouts-list.tsx'
import { TransfersPart } from './transfers-part.tsx'

function PayoutsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  if (!member) return <PageHead heading={t('console.nav.payouts')} lead={t('consolePayouts.lead')} />
  return <Payouts reader={member} search={search} />
}

function Payouts({ reader, search }: { reader: Member; search: URLSearchParams }) {
  const { t } = useMessages()
  const loaded = useLoaded('', () => call(getPayoutHold, {}))
  const hold = loaded.state === 'ready' ? loaded.data.hold : undefined
  const mayAct = levelOf(reader, 'finance') >= 2
  const show = (now: PayoutHold | null) => loaded.state === 'ready' && loaded.setData({ hold: now })
  return (
    <>
      <PageHead
        heading={t('console.nav.payouts')}
        lead={t('consolePayouts.lead')}
        action={mayAct && hold === null && <HoldButton onHeld={show} />}
      />
      {hold && <HoldNotice hold={hold} reader={reader} onReleased={show} />}
      {/* Whether payouts are on hold must not stay unknown. */}
      {loaded.state === 'failed' && <NotLoaded of={loaded} title={t('consolePayouts.hold.failed')} />}
      <TransfersPart mayAct={mayAct} />
      <ConsoleList spec={payoutsList} search={search} />
    </>
  )
}

function HoldButton({ onHeld }: { onHeld: (hold: PayoutHold | null) => void }) {
  const { t } = useMessages()
  const [isOpen, setOpen] = useActionDialog('consolePayouts.hold')
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {t('consolePayouts.hold')}
      </Button>
      {isOpen && <HoldDialog onHeld={onHeld} onClose={() => setOpen(false)} />}
    </>
  )
}

export default page({ View: PayoutsView })
