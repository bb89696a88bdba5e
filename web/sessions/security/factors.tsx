import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { listPasskeys, type Passkey } from '#contract/people/passkeys.ts'
import { getFactors, renewRecoveryCodes } from '#contract/people/sessions.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { restoreSession, updateMember as updateSession } from '../../kernel/session/keep-session.ts'
import { currentSession } from '../../kernel/session/session.ts'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { MailboxPart } from '../../kernel/mailbox/mailbox-part.tsx'
import { Button, ButtonLink } from '../../kernel/ui/button.tsx'
import { copyText } from '../../kernel/ui/copy-text.ts'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { PasskeysPart } from './passkeys-part.tsx'
import styles from './security.module.css'
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

/** The recovery codes. They are shown only once, because the server stores only their hashes. */
function RecoveryCodes({
  codes,
  areFirst,
  email,
  onDone,
}: {
  codes: readonly string[]
  /** Whether they were created with the account's first factor instead of replacing older ones. */
  areFirst: boolean
  email: string
  onDone: () => void
}) {
  const { t } = useMessages()
  const [isCopied, setCopied] = useState<boolean>()
  const [download, setDownload] = useState<string>()
  const ref = useRef<HTMLDivElement>(null)
  const text = `${t('security.codes.fileHead', { email })}\n\n${codes.join('\n')}\n`

  useEffect(() => ref.current?.focus(), [])
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    setDownload(url)
    return () => URL.revokeObjectURL(url)
  }, [text])

  return (
    <div className={styles.codes} ref={ref} tabIndex={-1}>
      <p className={styles.printHead}>{t('security.codes.fileHead', { email })}</p>
      <Message kind="note">
        <p>
          <strong>{t(areFirst ? 'security.codes.heading' : 'security.codes.headingRenewed')}</strong>
        </p>
        <p>{t('security.codes.text')}</p>
      </Message>
      <ol className={styles.codeList}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={`${styles.state} ${styles.onScreen}`} data-keep-clear="">
        <Button kind="quiet" onClick={() => void copyText(codes.join('\n')).then(setCopied)}>
          {t('security.codes.copy')}
        </Button>
        <ButtonLink kind="quiet" href={download} download={t('security.codes.fileName')}>
          {t('security.codes.download')}
        </ButtonLink>
        <Button kind="quiet" onClick={() => print()}>
          {t('security.codes.print')}
        </Button>
        <Button onClick={onDone}>{t('security.codes.done')}</Button>
      </div>
      <p role="status">
        {isCopied === true && t('security.codes.copied')}
        {isCopied === false && t('security.codes.copyFailed')}
      </p>
    </div>
  )
}

const few = 3

/** The number of recovery codes left, and a button that replaces them with ten new ones. */
function RecoveryPart({ left, onRenewed }: { left: number; onRenewed: (recoveryCodes: string[]) => void }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const renew = () => run(async () => onRenewed((await call(renewRecoveryCodes, { body: {} })).recoveryCodes))
  return (
    <>
      {left <= few && <p>{t('security.recovery.few')}</p>}
      <div className={styles.state}>
        <Tag colour={left > few ? 'verdigris' : 'yellow'}>{t('security.recovery.left', { count: left })}</Tag>
        <Button kind="quiet" busy={isBusy} onClick={() => void renew()}>
          {t('security.recovery.renew')}
        </Button>
        <FormStatus error={error} />
      </div>
    </>
  )
}
