import { useMemo, type ReactNode } from 'react'
import * as z from 'zod/mini'
import type { ProfileVersion } from '#contract/ambassador-profiles.ts'
import {
  approveAmbassadorProfile,
  returnAmbassadorProfile,
  type ConsoleAmbassador,
} from '#contract/console-ambassador-profiles.ts'
import { completeLanguages } from '#contract/languages.ts'
import { ProfileTextFields, textsOf, wholeTexts, wordsOf } from '../../ambassadors/profile-text-fields.tsx'
import { nameOfLanguage } from '../../ambassadors/own/spoken-languages.ts'
import { useRebased } from '../../ambassadors/use-rebased.ts'
import { call, CallFailed } from '../../call/call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { htmlLanguage } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Message } from '../../ui/form-status.tsx'
import { Tag } from '../../ui/tag.tsx'
import { DetailActions, type DetailAction } from '../detail/detail-actions.tsx'
import type { DetailContext } from '../detail/detail-page.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import type { ReasonField } from '../detail/reason-dialog.tsx'
import styles from './ambassador-profiles.module.css'

const published = z.object(wholeTexts)
const labels = {
  nameEn: 'consoleAmbassadorProfiles.field.nameEn',
  placeEn: 'consoleAmbassadorProfiles.field.placeEn',
  sentenceEn: 'consoleAmbassadorProfiles.field.sentenceEn',
  nameCn: 'consoleAmbassadorProfiles.field.nameCn',
  placeCn: 'consoleAmbassadorProfiles.field.placeCn',
  sentenceCn: 'consoleAmbassadorProfiles.field.sentenceCn',
} as const

type Props = {
  of: DetailContext<ConsoleAmbassador>
  submitted: ProfileVersion
  reason: ReasonField
  mayDecide: boolean
}

/** The submitted profile next to the published one. Reviewers can complete the texts before publishing. */
export function SubmittedProfile({ of, submitted, reason, mayDecide }: Props) {
  const { t, record, show, onConflict } = of
  const { id, approved, standing } = record
  const isHidden = standing === 'hidden'
  const basedOn = submitted.updatedAt
  const version = useMemo(() => ({ id: basedOn, values: textsOf(submitted) }), [basedOn, submitted])
  const approvalForm = useContractForm({
    schema: published,
    labels,
    defaultValues: version.values,
    submit: async (given) => {
      const from = isHidden ? ('hidden' as const) : ('active' as const)
      const body = { basedOn, from, ...wordsOf(given) }
      try {
        show(await call(approveAmbassadorProfile, { params: { id }, body }))
        showNotice(t('consoleAmbassadorProfiles.approved'), 'success')
      } catch (failure) {
        if (!(failure instanceof CallFailed) || failure.code !== 'conflict') throw failure
        onConflict()
      }
    },
  })
  // Text from the ambassador must not be published unread.
  useRebased(approvalForm, version, 'there')
  if (!mayDecide) return <PublicProfile version={submitted} />
  const publicTexts = approved && textsOf(approved)
  const returning: DetailAction<ConsoleAmbassador> = {
    words: 'consoleAmbassadorProfiles.return',
    isOffered: true,
    reason,
    step: (given) => call(returnAmbassadorProfile, { params: { id }, body: { basedOn, reason: given } }),
  }
  return (
    <>
      {isHidden && (
        <Message kind="note">
          <p>{t('consoleAmbassadorProfiles.submitted.hidden')}</p>
        </Message>
      )}
      <OtherFacts submitted={submitted} approved={approved} />
      <FormFrame
        of={approvalForm}
        label={t('consoleAmbassadorProfiles.submitted')}
        submitLabel={t('consoleAmbassadorProfiles.approve')}
        busyLabel={t('consoleAmbassadorProfiles.approving')}
        beside={<DetailActions of={of} actions={[returning]} />}
      >
        <ProfileTextFields
          of={approvalForm}
          legends={{ en: t('console.language.en'), cn: t('console.language.cn') }}
          helpOf={(field) => publicTexts && wasOf(of, publicTexts[field], approvalForm.values[field])}
        />
      </FormFrame>
    </>
  )
}

/** The published text, if it differs from what would be published. */
function wasOf({ t }: Props['of'], text: string, typed: string | undefined): ReactNode {
  if (text === typed) return undefined
  return (
    <span className={styles.was}>
      {text ? t('consoleAmbassadorProfiles.was', { text }) : t('consoleAmbassadorProfiles.was.empty')}
    </span>
  )
}

/** Data that staff approve or return but cannot edit. */
function OtherFacts({ submitted, approved }: { submitted: ProfileVersion; approved: ProfileVersion | null }) {
  const { t, language, joinNames } = useMessages()
  const spoken = (codes: readonly string[]) => joinNames(codes.map((code) => nameOfLanguage(code, language)))
  const changed = <Tag colour="yellow">{t('consoleAmbassadorProfiles.changed')}</Tag>
  const marked = (isChanged: boolean) => approved && isChanged && changed
  return (
    <LabeledFacts
      facts={{
        'consoleAmbassadorProfiles.field.picture': (
          <span className={styles.pictures}>
            {submitted.picture ? (
              <img className={styles.picture} src={submitted.picture} alt="" width={96} height={96} />
            ) : (
              t('consoleAmbassadorProfiles.picture.none')
            )}{' '}
            {marked(submitted.picture !== approved?.picture)}
          </span>
        ),
        'consoleAmbassadorProfiles.field.link': (
          <>
            {submitted.link ? (
              <a href={submitted.link} rel="noopener noreferrer" target="_blank">
                {submitted.link}
              </a>
            ) : (
              '–'
            )}{' '}
            {marked(submitted.link !== approved?.link)}
          </>
        ),
        'consoleAmbassadorProfiles.field.languages': (
          <>
            {spoken(submitted.languages) || '–'}{' '}
            {marked(submitted.languages.join() !== approved?.languages.join())}
          </>
        ),
      }}
    />
  )
}

export function PublicProfile({ version }: { version: ProfileVersion }) {
  const { language, joinNames } = useMessages()
  return (
    <div className={styles.version}>
      {version.picture && (
        <img className={styles.picture} src={version.picture} alt="" width={96} height={96} />
      )}
      <div className={styles.both}>
        {completeLanguages.map((each) => (
          <div key={each} lang={htmlLanguage[each]} className={styles.words}>
            <strong>{version[each].name}</strong>
            <span>{version[each].place}</span>
            <p>{version[each].sentence}</p>
          </div>
        ))}
      </div>
      <LabeledFacts
        facts={{
          'consoleAmbassadorProfiles.field.link': version.link || '–',
          'consoleAmbassadorProfiles.field.languages':
            joinNames(version.languages.map((code) => nameOfLanguage(code, language))) || '–',
        }}
      />
    </div>
  )
}
