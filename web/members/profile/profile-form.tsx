import { useEffect } from 'react'
import * as z from 'zod/mini'
import { ownFields } from '#contract/members.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormCheckbox, FormInput } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { profileLabels, type ProfileFields } from './profile-fields.ts'
import styles from './profile.module.css'

const profile = z.object(ownFields)

/** The fields of the profile, begun with `draft`. */
export function ProfileForm({
  draft,
  onSubmit,
  onCancel,
}: {
  draft: ProfileFields
  onSubmit: (given: ProfileFields) => Promise<void>
  onCancel: () => void
}) {
  const { t } = useWords()
  const profileForm = useContractForm({
    schema: profile,
    labels: profileLabels,
    defaultValues: draft,
    // Every field is registered, so none is missing.
    submit: (given) => onSubmit({ ...draft, ...(given as ProfileFields) }),
  })
  const { setFocus } = profileForm.form
  // The button that opened the form is gone.
  useEffect(() => setFocus('displayName'), [setFocus])
  const phoneHelp = t('account.profile.phone.help')
  return (
    <FormFrame
      of={profileForm}
      submitLabel={t('account.profile.save')}
      busyLabel={t('forms.saving')}
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
          />
          <FormInput of={profileForm} name="firstName" autoComplete="given-name" />
          <FormInput of={profileForm} name="midName" autoComplete="additional-name" />
          <FormInput of={profileForm} name="lastName" autoComplete="family-name" />
        </fieldset>
        <fieldset>
          <legend>{t('account.profile.group.contact')}</legend>
          <FormInput
            of={profileForm}
            name="email"
            autoComplete="email"
            help={t('account.profile.email.help')}
          />
          <FormInput of={profileForm} name="mobile" autoComplete="mobile tel" help={phoneHelp} />
          <FormInput of={profileForm} name="homePhone" autoComplete="home tel" help={phoneHelp} />
          <FormInput of={profileForm} name="workPhone" autoComplete="work tel" help={phoneHelp} />
          <FormInput of={profileForm} name="workEmail" autoComplete="work email" />
        </fieldset>
        <fieldset>
          <legend>{t('account.profile.group.account')}</legend>
          <FormCheckbox of={profileForm} name="personalMember" />
        </fieldset>
      </div>
    </FormFrame>
  )
}
