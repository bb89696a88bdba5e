import { useState, type ComponentProps } from 'react'
import { listPasskeys, type Passkey } from '#contract/passkeys.ts'
import { getFactors } from '#contract/sessions.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { restoreSession, updateMember as updateSession } from '../../session/keep-session.ts'
import { currentSession } from '../../session/session.ts'
import { Loading } from '../../ui/loading.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { MailboxPart } from '../../mailbox/mailbox-part.tsx'
import { PasskeysPart } from './passkeys-part.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RecoveryPart } from './recovery-part.tsx'
import { TotpPart } from './totp-part.tsx'

type Codes = { codes: readonly string[]; areFirst: boolean }

const loadFactors = async () => {
  const [factors, passkeys] = await Promise.all([call(getFactors, {}), call(listPasskeys, {})])
  return { ...factors, passkeys }
}

/** Pending rights may have taken effect. */
function renewWaitingRights(): void {
  if (currentSession().member?.waitingRights) void restoreSession().catch(() => {})
}

/** The factors in addition to the password: passkeys, the authenticator app, and recovery codes. */
export function Factors({ email }: { email: string }) {
  const { t } = useMessages()
  const loaded = useLoaded('factors', loadFactors)
  const [shown, setShown] = useState<Codes>()

  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <LoadFailed title={t('security.factors.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
    )
  const { data, setData, reload } = loaded
  const { totp, passkeys, recoveryCodesLeft, mailboxProved } = data
  const hasPasskey = passkeys.length > 0

  function added(codes: readonly string[] | null) {
    updateSession({ hasSecondFactor: true, needsSecondFactor: false })
    renewWaitingRights()
    if (codes) setShown({ codes, areFirst: !totp && !hasPasskey })
    reload()
  }
  function removed(isAnyLeft: boolean) {
    updateSession({ hasSecondFactor: isAnyLeft })
    if (!isAnyLeft) setShown(undefined)
    reload()
  }
  const renamed = (passkey: Passkey) =>
    setData({ ...data, passkeys: passkeys.map((each) => (each.id === passkey.id ? passkey : each)) })
  return (
    <>
      {!mailboxProved && (
        <MailboxSection
          email={email}
          hasFactor={totp || hasPasskey}
          onVerified={() => {
            setData({ ...data, mailboxProved: true })
            renewWaitingRights()
          }}
        />
      )}
      <PagePart id="passkeys" heading={t('security.passkeys.heading')} lead={t('security.passkeys.lead')}>
        <PasskeysPart
          passkeys={passkeys}
          isOnlyFactor={!totp}
          onAdded={added}
          onChanged={renamed}
          onRemoved={() => removed(totp || passkeys.length > 1)}
        />
      </PagePart>
      <PagePart id="second-factor" heading={t('security.factor.heading')} lead={t('security.factor.lead')}>
        <TotpPart isOn={totp} hasPasskey={hasPasskey} onCodes={added} onRemoved={() => removed(hasPasskey)} />
      </PagePart>
      {(totp || hasPasskey || shown) && (
        <RecoverySection
          email={email}
          left={recoveryCodesLeft}
          shown={shown}
          onDone={() => setShown(undefined)}
          onRenewed={(codes) => {
            setShown({ codes, areFirst: false })
            reload()
          }}
        />
      )}
    </>
  )
}

function MailboxSection(props: ComponentProps<typeof MailboxPart>) {
  const { t } = useMessages()
  return (
    <PagePart
      id="mailbox"
      heading={t('security.mailbox.heading')}
      lead={t('security.mailbox.lead', { email: props.email })}
    >
      <MailboxPart {...props} />
    </PagePart>
  )
}

/** New recovery codes once, otherwise how many are left. */
function RecoverySection({
  email,
  left,
  shown,
  onDone,
  onRenewed,
}: {
  email: string
  left: number
  shown: Codes | undefined
  onDone: () => void
  onRenewed: (codes: readonly string[]) => void
}) {
  const { t } = useMessages()
  return (
    <PagePart id="recovery-codes" heading={t('security.recovery.heading')} lead={t('security.recovery.lead')}>
      {shown ? (
        <RecoveryCodes {...shown} email={email} onDone={onDone} />
      ) : (
        <RecoveryPart left={left} onRenewed={onRenewed} />
      )}
    </PagePart>
  )
}
