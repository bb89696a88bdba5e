import { fullName } from '#contract/people/full-name.ts'
import { useState } from 'react'
import * as z from 'zod/mini'
import { email, staffPasswordLengthMin } from '#contract/platform/fields.ts'
import { findMember, updateMember, type User } from '#contract/people/members.ts'
import { call, type CallFailed } from '../kernel/call/call.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormInput } from '../kernel/forms/form-input.tsx'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { pathTo } from '../kernel/routes/routes.ts'
import { FactorNeeded } from '../kernel/layout/factor-needed.tsx'
import { useSession } from '../kernel/session/session.ts'
import { Button } from '../kernel/ui/button.tsx'
import { Dialog } from '../kernel/ui/dialog.tsx'
import { FormStatus, Message } from '../kernel/ui/form-status.tsx'
import styles from './upgrade-user.module.css'

const lookUp = z.object({ email })
const nameOf = (user: User) => user.displayName || fullName(user.firstName, user.lastName) || user.email

/** Finds a member by email address, and makes them an administrator once the name is confirmed. */
export function UpgradeForm({ isAdministrator }: { isAdministrator: boolean }) {
  const { t } = useMessages()
  const isWaiting = useSession().member?.waitingRights?.isWriteAccessAdmin === true
  const [candidate, setCandidate] = useState<User>()
  const [upgraded, setUpgraded] = useState<User>()
  const upgradeForm = useContractForm({
    schema: lookUp,
    labels: { email: 'orders.upgrade.email' },
    submit: async (body) => {
      setUpgraded(undefined)
      setCandidate(await call(findMember, { body }))
    },
  })
  const explain = (failure: CallFailed) => {
    if (failure.code === 'not_found') return t('orders.upgrade.notFound')
    if (failure.code !== 'second_factor_needed') return undefined
    return (
      <>
        {failure.message} <a href={pathTo('account.security')}>{t('orders.upgrade.toSecurity')}</a>
      </>
    )
  }
  return (
    <div className={styles.inside}>
      <p className={styles.warning}>{t('orders.upgrade.warning')}</p>
      <FactorNeeded />
      {!isAdministrator && (
        <p className={styles.note}>{t(isWaiting ? 'orders.upgrade.notYet' : 'orders.upgrade.notAllowed')}</p>
      )}
      <fieldset className={styles.tool} disabled={!isAdministrator}>
        <FormFrame
          of={upgradeForm}
          submitLabel={t('orders.upgrade.submit')}
          busyLabel={t('orders.upgrade.searching')}
          label={t('orders.upgrade.heading')}
          explain={explain}
        >
          <FormInput of={upgradeForm} name="email" autoComplete="off" />
        </FormFrame>
      </fieldset>
      <div role="status">{upgraded && <Upgraded user={upgraded} />}</div>
      <ConfirmUpgrade
        candidate={candidate}
        onClose={() => setCandidate(undefined)}
        onUpgraded={(user) => {
          setCandidate(undefined)
          setUpgraded(user)
          upgradeForm.form.reset({ email: '' })
        }}
      />
    </div>
  )
}

function Upgraded({ user }: { user: User }) {
  const { t } = useMessages()
  const isWaiting = Boolean(user.waitingRights)
  return (
    <Message kind={isWaiting ? 'note' : 'good'}>
      <p>
        {t(isWaiting ? 'orders.upgrade.granted' : 'orders.upgrade.done', {
          name: nameOf(user),
          email: user.email,
        })}
      </p>
      <WaitsFor user={user} />
    </Message>
  )
}

/** What the user must do before a granted right takes effect. */
function WaitsFor({ user: { waitingRights } }: { user: User }) {
  const { t } = useMessages()
  if (!waitingRights) return null
  const words = {
    password: t('orders.upgrade.need.password', { min: staffPasswordLengthMin }),
    second_factor: t('orders.upgrade.need.second_factor'),
  }
  const needs = waitingRights.needs.map((need) => words[need])
  return <p>{t('orders.upgrade.waits', { needs: needs.join(t('orders.upgrade.need.separator')) })}</p>
}

type ConfirmProps = {
  candidate: User | undefined
  onClose: () => void
  onUpgraded: (user: User) => void
}

function ConfirmUpgrade({ candidate, onClose, onUpgraded }: ConfirmProps) {
  const { t } = useMessages()
  const { isBusy: isSending, error, run, reset } = useAction()
  function close() {
    reset()
    onClose()
  }
  const upgrade = ({ _id }: User) =>
    run(async () => {
      try {
        onUpgraded(await call(updateMember, { body: { _id, isWriteAccessAdmin: true } }))
      } catch (cause) {
        console.error(cause)
        throw cause
      }
    })
  const name = candidate ? nameOf(candidate) : ''
  const isWaiting = candidate?.waitingRights?.isWriteAccessAdmin === true
  const isAlready = isWaiting || candidate?.isWriteAccessAdmin === true
  const alreadyTitle = isWaiting ? 'orders.upgrade.waitingTitle' : 'orders.upgrade.alreadyTitle'
  return (
    <Dialog
      isOpen={candidate !== undefined}
      onClose={close}
      title={t(isAlready ? alreadyTitle : 'orders.upgrade.confirmTitle', { name })}
      actions={
        <>
          <Button kind="quiet" onClick={close}>
            {t(isAlready ? 'forms.close' : 'forms.cancel')}
          </Button>
          {candidate && !isAlready && (
            <Button
              kind="danger"
              busy={isSending}
              busyLabel={t('forms.saving')}
              onClick={() => void upgrade(candidate)}
            >
              {t('orders.upgrade.confirm', { name })}
            </Button>
          )}
        </>
      }
    >
      {candidate && (
        <>
          <p>{candidate.email}</p>
          {isWaiting ? (
            <WaitsFor user={candidate} />
          ) : (
            <p>{t(isAlready ? 'orders.upgrade.alreadyText' : 'orders.upgrade.confirmText')}</p>
          )}
        </>
      )}
      <FormStatus error={error} />
    </Dialog>
  )
}
