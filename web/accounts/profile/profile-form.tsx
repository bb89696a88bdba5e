import * as z from 'zod/mini'
import { ownFields } from '#contract/people/members.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormCheckbox, FormInput } from '../../kernel/forms/form-input.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import {
  namesIn,
  profileFields,
  profileGroups,
  profileLabels,
  type ProfileFields,
  type ProfileGroup,
} from './profile-fields.ts'
import styles from './profile.module.css'

const profile = z.object(ownFields)

/** The fields of the profile, initially those of `draft`. */
export function ProfileForm({
  draft,
  onSubmit,
  onCancel,
}: {
  draft: ProfileFields
  onSubmit: (given: ProfileFields) => Promise<void>
  onCancel: () => void
}) {
  const { t } = useMessages()
  const profileForm = useContractForm({
    schema: profile,
    labels: profileLabels,
    defaultValues: draft,
    // Every field is registered, so none is missing.
    submit: (given) => onSubmit({ ...draft, ...(given as ProfileFields) }),
  })
  return (
    <FormFrame
      of={profileForm}
      startAt="displayName"
      submitLabel={t('account.profile.save')}
      busyLabel={t('forms.saving')}
      asksToLeave
      failed={t('account.profile.loadFailed')}
      beside={
        <Button kind="quiet" disabled={profileForm.isSending} onClick={onCancel}>
          {t('forms.cancel')}
        </Button>
      }
    >
      <div className={styles.groups}>
        {Object.entries(profileGroups).map(([group, heading]) => (
          <fieldset key={group}>
            <legend>{t(heading)}</legend>
            {namesIn(group as ProfileGroup).map((name) => {
              const { help, autoComplete } = profileFields[name]
              if (typeof draft[name] === 'boolean')
                return <FormCheckbox key={name} of={profileForm} name={name} />
              return (
                <FormInput
                  key={name}
                  of={profileForm}
                  name={name}
                  autoComplete={autoComplete}
                  help={help && t(help)}
                />
              )
            })}
          </fieldset>
        ))}
      </div>
    </FormFrame>
  )
}
