import { useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import {
  ambassadorPictureBytesMax,
  type OwnAmbassador,
  profileLink,
  type ProfileVersion,
  saveAmbassadorProfile,
  spokenLanguagesMax,
} from '#contract/people/ambassador-profiles.ts'
import { MIB } from '#contract/platform/fields.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormInput } from '../../kernel/forms/form-input.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { SentenceSpace, useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { isHeic, preparePicture, readDataUrl } from '../../kernel/prepare-picture.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { FileField, Select } from '../../kernel/ui/field.tsx'
import textStyles from '../profile-text-fields.module.css'
import {
  noTexts,
  ProfileTextFields,
  textFields,
  textsOf,
  wordsOf,
  writtenTexts,
} from '../profile-text-fields.tsx'
import { useRebased } from '../use-rebased.ts'
import styles from './own-ambassador.module.css'
import { languagesByName, nameOfLanguage } from './spoken-languages.ts'

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

/** Why a file is rejected. */
type PictureProblem = 'unreadable' | 'tooLarge'

/** `given` is what is sent: a data URL, an empty string to remove the picture, or undefined to keep it. */
type ChosenPicture = { shown: string | null; given?: string }

/**
 * Scales a picture down before it is sent, so that it is never too large. HEIC, which few browsers can read, is sent
 * unchanged.
 */
async function choose(file: File): Promise<ChosenPicture | PictureProblem> {
  const prepared = await preparePicture(file, 0)
  if (prepared) {
    const given = await readDataUrl(prepared.blob, 'image/jpeg')
    return { shown: given, given }
  }
  if (!isHeic(file)) return 'unreadable'
  if (file.size > ambassadorPictureBytesMax) return 'tooLarge'
  return { shown: null, given: await readDataUrl(file, 'image/heic') }
}

function PictureField({
  picture,
  error,
  onChange,
  onProblem,
}: {
  picture: ChosenPicture
  error: string | undefined
  onChange: (picture: ChosenPicture) => void
  /** The previous choice is kept. */
  onProblem: (problem: PictureProblem) => void
}) {
  const { t } = useMessages()
  const [isReading, setReading] = useState(false)
  const has = picture.given === undefined ? picture.shown !== null : picture.given !== ''
  async function take(input: HTMLInputElement) {
    const [file] = input.files ?? []
    if (!file) return
    setReading(true)
    const chosen = await choose(file).finally(() => setReading(false))
    // Allows choosing the same file again.
    input.value = ''
    if (typeof chosen === 'string') onProblem(chosen)
    else onChange(chosen)
  }
  return (
    <div className={styles.pictureField}>
      {picture.shown && (
        <img
          className={styles.picture}
          src={picture.shown}
          alt={t('ambassadorAccount.form.picture.alt')}
          width={160}
          height={160}
        />
      )}
      <div>
        <FileField
          label={t('ambassadorAccount.form.picture')}
          chooseLabel={t('ambassadorAccount.form.picture.choose')}
          error={error}
          help={`${t('ambassadorAccount.form.picture.help')}${has ? '' : ` ${t('ambassadorAccount.form.picture.none')}`}`}
          accept="image/jpeg,image/png,image/webp,image/heic,.heic,.heif"
          aria-busy={isReading}
          onChange={({ target }) => void take(target)}
        />
        {has && (
          <Button kind="quiet" onClick={() => onChange({ shown: null, given: '' })}>
            {t('ambassadorAccount.form.picture.remove')}
          </Button>
        )}
      </div>
    </div>
  )
}

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
            {t('ambassadorAccount.form.conflict')}
            <SentenceSpace />
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
      {said}
      <SentenceSpace />
      <strong>
        {other ? t('ambassadorAccount.form.other', { text: other }) : t('ambassadorAccount.form.other.empty')}
      </strong>
    </>
  )
}

/** The languages in which the ambassador answers questions, added one at a time. */
function LanguagesField({
  selectedLanguages,
  onChange,
}: {
  selectedLanguages: readonly string[]
  onChange: (selectedLanguages: readonly string[]) => void
}) {
  const { t, language } = useMessages()
  return (
    <fieldset className={textStyles.language}>
      <legend>{t('ambassadorAccount.form.spoken')}</legend>
      {selectedLanguages.length > 0 && (
        <ul className={styles.chips}>
          {selectedLanguages.map((code) => {
            const name = nameOfLanguage(code, language)
            return (
              <li key={code}>
                {name}{' '}
                <button
                  type="button"
                  aria-label={t('ambassadorAccount.form.spoken.remove', { language: name })}
                  onClick={() => onChange(selectedLanguages.filter((each) => each !== code))}
                >
                  ×
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {selectedLanguages.length < spokenLanguagesMax && (
        <Select
          label={t('ambassadorAccount.form.spoken.add')}
          help={t('ambassadorAccount.form.spoken.help', { max: spokenLanguagesMax })}
          value=""
          onChange={({ target }) => target.value && onChange([...selectedLanguages, target.value])}
        >
          <option value="">{t('ambassadorAccount.form.spoken.choose')}</option>
          {languagesByName(language)
            .filter(({ code }) => !selectedLanguages.includes(code))
            .map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </Select>
      )}
    </fieldset>
  )
}
