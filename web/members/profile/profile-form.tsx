import { useEffect } from 'react'
import * as z from 'zod/mini'
import { emailLengthMax, nameLengthMax, phoneLengthMax } from '#contract/fields.ts'
import { ownFields, updateMember, type User } from '#contract/members.ts'
import { call, type CallFailed } from '../../call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormCheckbox, FormInput } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button, TextButton } from '../../ui/button.tsx'
import { changesOf } from './changes-of.ts'
import styles from './profile.module.css'

const profile = z.object(ownFields)

/** Edits the profile. Only what was changed is sent; a change from elsewhere in the meantime is not overwritten. */
export function ProfileForm({
  user,
  onSaved,
  onCancel,
  onStale,
}: {
  user: User
  onSaved: (user: User) => void
  onCancel: () => void
  onStale: () => void
}) {
  const { t } = useWords()
  const profileForm = useContractForm({
    schema: profile,
    labels: {
      displayName: 'account.profile.displayName',
      firstName: 'account.profile.firstName',
      midName: 'account.profile.midName',
      lastName: 'account.profile.lastName',
      email: 'forms.email.label',
      mobile: 'account.profile.mobile',
      homePhone: 'account.profile.homePhone',
      workPhone: 'account.profile.workPhone',
      workEmail: 'account.profile.workEmail',
      personalMember: 'account.profile.personalMember',
    },
    defaultValues: {
      displayName: user.displayName,
      firstName: user.firstName,
      midName: user.midName,
      lastName: user.lastName,
      email: user.pendingEmail ?? user.email,
      mobile: user.mobile,
      homePhone: user.homePhone,
      workPhone: user.workPhone,
      workEmail: user.workEmail,
      personalMember: user.personalMember,
    },
    submit: async (given) => {
      const saved = { ...user, email: user.pendingEmail ?? user.email }
      const changes = changesOf(saved, given)
      if (Object.keys(changes).length === 0) return onCancel()
      onSaved(await call(updateMember, { body: { _id: user.id, lastUpdated: user.lastUpdated, ...changes } }))
    },
  })
  const { setFocus } = profileForm.form
  // The button that opened the form is gone.
  useEffect(() => setFocus('displayName'), [setFocus])
  const explain = (failure: CallFailed) =>
    failure.code === 'conflict' && (
      <>
        {failure.message} <TextButton onClick={onStale}>{t('account.profile.reload')}</TextButton>
      </>
    )
  const name = { isOptional: true, limits: { max: nameLengthMax } }
  const phone = {
    isOptional: true,
    type: 'tel',
    inputMode: 'tel',
    help: t('account.profile.phone.help'),
    limits: { max: phoneLengthMax },
  } as const
  return (
    <FormFrame
      of={profileForm}
      submitLabel={t('account.profile.save')}
      busyLabel={t('forms.saving')}
      explain={explain}
      beside={
        <Button kind="quiet" disabled={profileForm.isSending} onClick={onCancel}>
          {t('forms.cancel')}
        </Button>
      }
    >
      <div className={styles.groups}>
        <fieldset>
          <legend>{t('account.profile.group.name')}</legend>
          <FormInput
            of={profileForm}
            name="displayName"
            autoComplete="nickname"
            help={t('account.profile.displayName.help')}
            {...name}
          />
          <FormInput of={profileForm} name="firstName" autoComplete="given-name" {...name} />
          <FormInput of={profileForm} name="midName" autoComplete="additional-name" {...name} />
          <FormInput of={profileForm} name="lastName" autoComplete="family-name" {...name} />
        </fieldset>
        <fieldset>
          <legend>{t('account.profile.group.contact')}</legend>
          <FormInput
            of={profileForm}
            name="email"
            type="email"
            autoComplete="email"
            help={t('account.profile.email.help')}
            limits={{ max: emailLengthMax }}
          />
          <FormInput of={profileForm} name="mobile" autoComplete="mobile tel" {...phone} />
          <FormInput of={profileForm} name="homePhone" autoComplete="home tel" {...phone} />
          <FormInput of={profileForm} name="workPhone" autoComplete="work tel" {...phone} />
          <FormInput
            of={profileForm}
            name="workEmail"
            type="email"
            autoComplete="work email"
            isOptional
            limits={{ max: emailLengthMax }}
          />
        </fieldset>
        <fieldset>
          <legend>{t('account.profile.group.account')}</legend>
          <FormCheckbox of={profileForm} name="personalMember" />
        </fieldset>
      </div>
    </FormFrame>
  )
}
