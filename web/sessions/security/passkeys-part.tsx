import { useState } from 'react'
import * as z from 'zod/mini'
import {
  beginPasskey,
  finishPasskey,
  type Passkey,
  passkeyName,
  passkeysMax,
  removePasskey,
  renamePasskey,
} from '#contract/people/passkeys.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormInput } from '../../kernel/forms/form-input.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { PasskeyButton } from '../passkeys/passkey-button.tsx'
import { makePasskey } from '../passkeys/passkey-browser.ts'
import styles from './security.module.css'

/** The member's passkeys: add one on this device, rename, and remove them. */
export function PasskeysPart({
  passkeys,
  isOnlyFactor,
  onAdded,
  onChanged,
  onRemoved,
}: {
  passkeys: readonly Passkey[]
  /** Whether the account has no factor of another kind. */
  isOnlyFactor: boolean
  onAdded: (recoveryCodes: string[] | null) => void
  onChanged: (passkey: Passkey) => void
  onRemoved: () => void
}) {
  const { t } = useMessages()
  async function add() {
    const credential = await makePasskey(await call(beginPasskey, { body: {} }))
    const { recoveryCodes } = await call(finishPasskey, { body: { credential } })
    showNotice(t('security.passkeys.added'), 'success')
    onAdded(recoveryCodes)
  }
  return (
    <>
      {passkeys.length > 0 && (
        <ul className={styles.list}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isLastFactor={isOnlyFactor && passkeys.length === 1}
              onRenamed={onChanged}
              onRemoved={() => {
                showNotice(t('security.passkeys.removed'), 'success')
                onRemoved()
              }}
            />
          ))}
        </ul>
      )}
      {passkeys.length < passkeysMax ? (
        <PasskeyButton kind={passkeys.length === 0 ? 'primary' : 'quiet'} run={add}>
          {t('security.passkeys.add')}
        </PasskeyButton>
      ) : (
        <p>{t('security.passkeys.full', { max: passkeysMax })}</p>
      )}
    </>
  )
}

type RowProps = {
  passkey: Passkey
  isLastFactor: boolean
  onRenamed: (passkey: Passkey) => void
  onRemoved: () => void
}

function PasskeyRow({ passkey, isLastFactor, onRenamed, onRemoved }: RowProps) {
  const { t, formatDateTime } = useMessages()
  const [doing, setDoing] = useState<'rename' | 'remove'>()
  const { name, synced, createdAt, lastUsedAt } = passkey
  const stop = () => setDoing(undefined)
  if (doing === 'rename')
    return (
      <li>
        <NameForm
          passkey={passkey}
          onCancel={stop}
          onRenamed={(renamed) => {
            stop()
            onRenamed(renamed)
          }}
        />
      </li>
    )
  return (
    <li>
      <div>
        <strong className={styles.device}>{name}</strong>{' '}
        {synced && <Tag colour="quiet">{t('security.passkeys.synced')}</Tag>}
        <p>
          {lastUsedAt
            ? t('security.passkeys.lastUsed', { time: formatDateTime(lastUsedAt) })
            : t('security.passkeys.neverUsed')}{' '}
          · {t('security.passkeys.since', { time: formatDateTime(createdAt) })}
        </p>
      </div>
      <div className={styles.rowActions}>
        <Button
          kind="quiet"
          aria-label={t('security.passkeys.renameNamed', { name })}
          onClick={() => setDoing('rename')}
        >
          {t('security.passkeys.rename')}
        </Button>
        <Button
          kind="danger"
          aria-label={t('security.passkeys.removeNamed', { name })}
          onClick={() => setDoing('remove')}
        >
          {t('security.passkeys.remove')}
        </Button>
      </div>
      {doing === 'remove' && (
        <RemoveDialog passkey={passkey} isLastFactor={isLastFactor} onClose={stop} onRemoved={onRemoved} />
      )}
    </li>
  )
}

function RemoveDialog({
  passkey: { id, name },
  isLastFactor,
  onClose,
  onRemoved,
}: {
  passkey: Passkey
  isLastFactor: boolean
  onClose: () => void
  onRemoved: () => void
}) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={t('security.passkeys.removeHeading', { name })}
      label={t('security.passkeys.remove')}
      kind="danger"
      step={() => call(removePasskey, { params: { id } })}
      onDone={onRemoved}
      onClose={onClose}
    >
      <p>{t('security.passkeys.removeText')}</p>
      {isLastFactor && <p>{t('security.passkeys.removeLast')}</p>}
    </ConfirmDialog>
  )
}

const named = z.object({ name: passkeyName })

function NameForm({
  passkey: { id, name },
  onCancel,
  onRenamed,
}: {
  passkey: Passkey
  onCancel: () => void
  onRenamed: (passkey: Passkey) => void
}) {
  const { t } = useMessages()
  const nameForm = useContractForm({
    schema: named,
    labels: { name: 'security.passkeys.name' },
    defaultValues: { name },
    submit: async (given) => onRenamed(await call(renamePasskey, { body: { id, ...given } })),
  })
  return (
    <div className={styles.narrow}>
      <FormFrame
        of={nameForm}
        startAt="name"
        submitLabel={t('security.passkeys.save')}
        busyLabel={t('forms.saving')}
        beside={
          <Button kind="quiet" disabled={nameForm.isSending} onClick={onCancel}>
            {t('forms.cancel')}
          </Button>
        }
      >
        <FormInput of={nameForm} name="name" autoComplete="off" onFocus={({ target }) => target.select()} />
      </FormFrame>
    </div>
  )
}
