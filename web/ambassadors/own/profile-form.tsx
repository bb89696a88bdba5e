import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import {
  profileLink,
  profileWords,
  saveAmbassadorProfile,
  type OwnAmbassador,
  type ProfileVersion,
} from '#contract/ambassador-profiles.ts'
import { call, CallFailed } from '../../call/call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormInput, FormTextArea } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { LanguagesField } from './languages-field.tsx'
import styles from './own-ambassador.module.css'
import { PictureField, type ChosenPicture } from './picture-field.tsx'

const { name, place, sentence } = profileWords.shape

const written = z.object({
  nameEn: name,
  placeEn: place,
  sentenceEn: sentence,
  nameCn: name,
  placeCn: place,
  sentenceCn: sentence,
  link: profileLink,
})
type Written = z.infer<typeof written>

const ofLanguage = {
  en: ['nameEn', 'placeEn', 'sentenceEn'],
  cn: ['nameCn', 'placeCn', 'sentenceCn'],
} as const

/** To be handed in, one language is whole: the one that was begun, English where none was. */
const whole = z.object(written.shape).check((context) => {
  const isEmpty = (field: keyof Written) => !context.value[field]?.trim()
  if (Object.values(ofLanguage).some((fields) => !fields.some(isEmpty))) return
  const begun = Object.values(ofLanguage).find((fields) => !fields.every(isEmpty)) ?? ofLanguage.en
  for (const field of begun.filter(isEmpty))
    context.issues.push({ code: 'custom', input: context.value, path: [field], message: 'required' })
})

/** The profile as it is written: saved as a draft, or handed to the board. */
export function ProfileForm({
  latest,
  onSaved,
  onCancel,
  onStale,
}: {
  latest: ProfileVersion | null
  onSaved: (own: OwnAmbassador) => void
  onCancel?: (() => void) | undefined
  onStale: () => void
}) {
  const { t } = useWords()
  const [spoken, setSpoken] = useState<readonly string[]>(latest?.languages ?? [])
  const [picture, setPicture] = useState<ChosenPicture>({ shown: latest?.picture ?? null })
  const [pictureError, setPictureError] = useState<string>()
  const isDraft = useRef(false)
  const profileForm = useContractForm({
    schema: written,
    sendable: whole,
    labels: {
      nameEn: 'ambassadorAccount.form.nameEn',
      placeEn: 'ambassadorAccount.form.placeEn',
      sentenceEn: 'ambassadorAccount.form.sentenceEn',
      nameCn: 'ambassadorAccount.form.nameCn',
      placeCn: 'ambassadorAccount.form.placeCn',
      sentenceCn: 'ambassadorAccount.form.sentenceCn',
      link: 'ambassadorAccount.form.link',
    },
    defaultValues: {
      nameEn: latest?.en.name ?? '',
      placeEn: latest?.en.place ?? '',
      sentenceEn: latest?.en.sentence ?? '',
      nameCn: latest?.cn.name ?? '',
      placeCn: latest?.cn.place ?? '',
      sentenceCn: latest?.cn.sentence ?? '',
      link: latest?.link ?? '',
    },
    submit: async (given) => {
      setPictureError(undefined)
      const submit = !isDraft.current
      try {
        const own = await call(saveAmbassadorProfile, {
          body: {
            en: { name: given.nameEn, place: given.placeEn, sentence: given.sentenceEn },
            cn: { name: given.nameCn, place: given.placeCn, sentence: given.sentenceCn },
            link: given.link,
            languages: spoken as never,
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
  const saveDraft = () => {
    isDraft.current = true
    void profileForm.send()
  }
  const of = profileForm
  return (
    <FormFrame
      of={profileForm}
      label={t('ambassadorAccount.form.label')}
      submitLabel={t('ambassadorAccount.form.submit')}
      busyLabel={t('ambassadorAccount.form.submitting')}
      asksToLeave
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
        picture={picture}
        error={pictureError}
        onChange={(chosen) => {
          setPictureError(undefined)
          setPicture(chosen)
        }}
      />
      <p className={styles.quiet}>{t('ambassadorAccount.form.languages.text')}</p>
      <div className={styles.both}>
        <fieldset className={styles.language}>
          <legend>{t('ambassadorAccount.form.en')}</legend>
          <FormInput
            of={of}
            name="nameEn"
            lang="en"
            autoComplete="name"
            help={t('ambassadorAccount.form.name.help')}
          />
          <FormInput of={of} name="placeEn" lang="en" help={t('ambassadorAccount.form.place.help')} />
          <FormTextArea
            of={of}
            name="sentenceEn"
            lang="en"
            rows={4}
            help={t('ambassadorAccount.form.sentence.help')}
          />
        </fieldset>
        <fieldset className={styles.language}>
          <legend>{t('ambassadorAccount.form.cn')}</legend>
          <FormInput
            of={of}
            name="nameCn"
            lang="zh-Hans"
            autoComplete="off"
            help={t('ambassadorAccount.form.name.help')}
          />
          <FormInput of={of} name="placeCn" lang="zh-Hans" help={t('ambassadorAccount.form.place.help')} />
          <FormTextArea
            of={of}
            name="sentenceCn"
            lang="zh-Hans"
            rows={4}
            help={t('ambassadorAccount.form.sentence.help')}
          />
        </fieldset>
      </div>
      <LanguagesField spoken={spoken} onChange={setSpoken} />
      <FormInput of={of} name="link" autoComplete="url" help={t('ambassadorAccount.form.link.help')} />
    </FormFrame>
  )
}
