import { useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import {
  ambassadorPictureBytesMax,
  profileLink,
  saveAmbassadorProfile,
  type OwnAmbassador,
  type ProfileVersion,
} from '#contract/ambassador-profiles.ts'
import { MIB } from '#contract/fields.ts'
import { call, CallFailed } from '../../call/call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormInput } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import {
  noTexts,
  ProfileTextFields,
  textFields,
  textsOf,
  wordsOf,
  writtenTexts,
} from '../profile-text-fields.tsx'
import { useRebased } from '../use-rebased.ts'
import { LanguagesField } from './languages-field.tsx'
import styles from './own-ambassador.module.css'
import { PictureField, type ChosenPicture, type PictureProblem } from './picture-field.tsx'

const written = z.object({ ...writtenTexts, link: profileLink })
type Written = z.infer<typeof written>

/** Submitting requires one complete language: the one that was started, otherwise English. */
const whole = z.object(written.shape).check((context) => {
  const isEmpty = (field: keyof Written) => !context.value[field]?.trim()
  if (textFields.some((fields) => !fields.some(isEmpty))) return
  const begun = textFields.find((fields) => !fields.every(isEmpty)) ?? textFields[0]!
  for (const field of begun.filter(isEmpty))
    context.issues.push({ code: 'custom', input: context.value, path: [field], message: 'required' })
})

const none: readonly string[] = []

const versionOf = (latest: ProfileVersion | null) => ({
  id: latest?.updatedAt ?? null,
  values: { ...(latest ? textsOf(latest) : noTexts), link: latest?.link ?? '' },
})

const labels = {
  nameEn: 'ambassadorAccount.form.nameEn',
  placeEn: 'ambassadorAccount.form.placeEn',
  sentenceEn: 'ambassadorAccount.form.sentenceEn',
  nameCn: 'ambassadorAccount.form.nameCn',
  placeCn: 'ambassadorAccount.form.placeCn',
  sentenceCn: 'ambassadorAccount.form.sentenceCn',
  link: 'ambassadorAccount.form.link',
} as const satisfies Record<keyof Written, PlainKey>

const choicesIn = (version: ProfileVersion | null) => ({
  languages: version?.languages ?? none,
  picture: { shown: version?.picture ?? null } as ChosenPicture,
})

type Choices = ReturnType<typeof useChoices>

/** The languages and the picture, which are not fields of the form. A new version replaces only unchanged ones. */
function useChoices(latest: ProfileVersion | null) {
  const { t } = useMessages()
  const ofLatest = choicesIn(latest)
  const [languages, setLanguages] = useState(ofLatest.languages)
  const [picture, setPicture] = useState(ofLatest.picture)
  const [pictureError, setPictureError] = useState<string>()
  const [known, setKnown] = useState(latest)
  if (known !== latest) {
    setKnown(latest)
    if (languages === choicesIn(known).languages) setLanguages(ofLatest.languages)
    if (picture.given === undefined) setPicture(ofLatest.picture)
  }
  return {
    languages,
    setLanguages,
    picture,
    pictureError,
    setPictureError,
    choosePicture: (chosen: ChosenPicture) => {
      setPictureError(undefined)
      setPicture(chosen)
    },
    rejectPicture: (problem: PictureProblem) =>
      setPictureError(
        problem === 'tooLarge'
          ? t('ambassadorAccount.form.picture.tooLarge', { max: ambassadorPictureBytesMax / MIB })
          : t('field.picture'),
      ),
    isChanged: picture.given !== undefined || languages !== ofLatest.languages,
  }
}

type Props = {
  latest: ProfileVersion | null
  onSaved: (own: OwnAmbassador) => void
  onCancel?: (() => void) | undefined
  onStale: () => void
}

function useProfileForm({ latest, onSaved }: Props, { languages, picture, setPictureError }: Choices) {
  const { t } = useMessages()
  const isDraft = useRef(false)
  const version = useMemo(() => versionOf(latest), [latest])
  const of = useContractForm({
    schema: written,
    sendable: whole,
    labels,
    defaultValues: version.values,
    submit: async (given) => {
      setPictureError(undefined)
      const submit = !isDraft.current
      try {
        const own = await call(saveAmbassadorProfile, {
          body: {
            ...wordsOf(given),
            link: given.link,
            languages: languages as never,
            ...(picture.given !== undefined && { picture: picture.given }),
            basedOn: latest?.updatedAt ?? null,
            submit,
          },
        })
        showNotice(t(submit ? 'ambassadorAccount.form.submitted' : 'ambassadorAccount.form.saved'), 'success')
        onSaved(own)
      } catch (failure) {
        const wrong = failure instanceof CallFailed && failure.errors.find(({ path }) => path === 'picture')
        if (wrong) setPictureError(wrong.message)
        throw failure
      } finally {
        isDraft.current = false
      }
    },
  })
  const other = useRebased(of, version, 'typed')
  return {
    of,
    saveDraft: () => {
      isDraft.current = true
      void of.send()
    },
    /** Returns the value in the other version, if it differs. */
    otherOf: (field: keyof Written) =>
      other && other[field] !== (of.values[field] ?? '') ? other[field] : undefined,
  }
}

export function ProfileForm(props: Props) {
  const { onCancel, onStale } = props
  const { t } = useMessages()
  const choices = useChoices(props.latest)
  const { of, saveDraft, otherOf } = useProfileForm(props, choices)
  return (
    <FormFrame
      of={of}
      label={t('ambassadorAccount.form.label')}
      submitLabel={t('ambassadorAccount.form.submit')}
      busyLabel={t('ambassadorAccount.form.submitting')}
      asksToLeave
      isChanged={choices.isChanged}
      explain={({ code }) =>
        code === 'conflict' && (
          <>
            {t('ambassadorAccount.form.conflict')}{' '}
            <TextButton onClick={onStale}>{t('ambassadorAccount.form.conflict.load')}</TextButton>
          </>
        )
      }
      beside={
        <>
          <Button kind="quiet" disabled={of.wrong.length > 0 || of.isSending} onClick={saveDraft}>
            {t('ambassadorAccount.form.save')}
          </Button>
          {onCancel && (
            <Button kind="quiet" disabled={of.isSending} onClick={onCancel}>
              {t('ambassadorAccount.form.cancel')}
            </Button>
          )}
        </>
      }
    >
      <PictureField
        picture={choices.picture}
        error={choices.pictureError}
        onChange={choices.choosePicture}
        onProblem={choices.rejectPicture}
      />
      <p className={styles.quiet}>{t('ambassadorAccount.form.languages.text')}</p>
      <ProfileTextFields
        of={of}
        isOwn
        legends={{ en: t('ambassadorAccount.form.en'), cn: t('ambassadorAccount.form.cn') }}
        helpOf={(field, part) => (
          <Help said={t(`ambassadorAccount.form.${part}.help`)} other={otherOf(field)} />
        )}
      />
      <LanguagesField selectedLanguages={choices.languages} onChange={choices.setLanguages} />
      <FormInput
        of={of}
        name="link"
        autoComplete="url"
        help={<Help said={t('ambassadorAccount.form.link.help')} other={otherOf('link')} />}
      />
    </FormFrame>
  )
}

/** The help text of a field, and the value in the other version. */
function Help({ said, other }: { said: string; other: string | undefined }) {
  const { t } = useMessages()
  if (other === undefined) return said
  return (
    <>
      {said}{' '}
      <strong>
        {other ? t('ambassadorAccount.form.other', { text: other }) : t('ambassadorAccount.form.other.empty')}
      </strong>
    </>
  )
}
