import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { boardReason, type ProfileVersion } from '#contract/people/ambassador-profiles.ts'
import {
  approveAmbassadorProfile,
  type ConsoleAmbassador,
  getConsoleAmbassador,
  returnAmbassadorProfile,
  setAmbassadorOrder,
  setAmbassadorStatus,
} from '#contract/people/console-ambassador-profiles.ts'
import { completeLanguages } from '#contract/platform/languages.ts'
import { nameOfLanguage } from '../../ambassadors/own/spoken-languages.ts'
import { ProfileTextFields, textsOf, wholeTexts, wordsOf } from '../../ambassadors/profile-text-fields.tsx'
import { useRebased } from '../../ambassadors/use-rebased.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { type UsedMessages, useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { TextField } from '../../kernel/ui/field.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { type Act, type DetailAction, DetailActions } from '../detail/detail-actions.tsx'
import { detailPage, type DetailContext, type DetailSection } from '../detail/detail-page.tsx'
import { LabeledFacts, type LabeledValues } from '../detail/labeled-facts.tsx'
import type { ReasonField } from '../detail/reason-dialog.tsx'
import styles from './ambassador-profiles.module.css'
import { nameIn, StandingTag } from './standing-tag.tsx'

type Context = DetailContext<ConsoleAmbassador>

/** Nobody decides about themselves. */
const mayDecide = ({ mayAct, record }: Context): boolean => mayAct && !record.isOwn

function factsOf({ t, formatDate, record }: Context): LabeledValues {
  const { memberId, applicationId, isOwn, slug } = record
  const page = slug && pathTo('ambassador', { slug })
  return {
    'consoleAmbassadorProfiles.fullName': record.fullName,
    'consoleAmbassadorProfiles.email': <Address email={record.email} />,
    'consoleAmbassadorProfiles.member': memberId && (
      <a href={pathTo('console.member', { id: memberId })}>{t('consoleAmbassadorProfiles.member.open')}</a>
    ),
    // Nobody can read decisions about themselves.
    'consoleAmbassadorProfiles.application': applicationId && !isOwn && (
      <a href={pathTo('console.ambassadorApplication', { id: applicationId })}>
        {t('consoleAmbassadorProfiles.application.open')}
      </a>
    ),
    'consoleAmbassadorProfiles.since': formatDate(record.since),
    'consoleAmbassadorProfiles.page': page ? (
      <a href={page}>{page}</a>
    ) : (
      t('consoleAmbassadorProfiles.page.none')
    ),
    'consoleAmbassadorProfiles.code': <code>{record.code}</code>,
  }
}

/** Results of the invitations, and the sign-ups that do not count, with reasons. */
function Results({ of: { t, formatNumber, record } }: { of: Context }) {
  if (!record.results) return <p>{t('consoleAmbassadorProfiles.results.own')}</p>
  const { totals, points, flags } = record.results
  const flagged = record.flagged ?? 0
  return (
    <>
      <LabeledFacts
        facts={{
          'consoleAmbassadorProfiles.results.signUps': formatNumber(totals.signUps),
          'consoleAmbassadorProfiles.results.activations': formatNumber(totals.activations),
          'consoleAmbassadorProfiles.results.identities': formatNumber(totals.identities),
          'consoleAmbassadorProfiles.results.points': formatNumber(points),
          'consoleAmbassadorProfiles.results.flagged':
            flagged > 0 ? formatNumber(flagged) : t('consoleAmbassadorProfiles.results.noFlags'),
        }}
      />
      {flags.length > 0 && (
        <>
          <p>{t('consoleAmbassadorProfiles.flags')}</p>
          <Facts
            facts={flags.map(({ flag, count }) => ({
              name: flag,
              label: t(`consoleAmbassadorProfiles.flag.${flag}`),
              value: formatNumber(count),
            }))}
          />
        </>
      )}
    </>
  )
}

const reasonField = (t: UsedMessages['t']) => ({
  label: t('consoleAmbassadorProfiles.reason'),
  help: t('consoleAmbassadorProfiles.reason.help'),
  schema: boardReason,
})

/** Hides the profile, shows it again, or ends the ambassadorship, each with a reason. */
function actionsOf({ t, name, record }: Context): DetailAction<ConsoleAmbassador>[] {
  const { id, standing, slug } = record
  const isHidden = standing === 'hidden'
  const from = isHidden ? 'hidden' : 'active'
  const become = (to: 'hidden' | 'active' | 'ended') => ({
    reason: reasonField(t),
    step: (reason: string) => call(setAmbassadorStatus, { params: { id }, body: { from, to, reason } }),
  })
  return [
    { words: 'consoleAmbassadorProfiles.hide', isOffered: standing === 'public', ...become('hidden') },
    { words: 'consoleAmbassadorProfiles.show', isOffered: isHidden, ...become('active') },
    {
      words: 'consoleAmbassadorProfiles.end',
      isOffered: standing !== 'ended',
      kind: 'danger',
      text: t(
        slug === null ? 'consoleAmbassadorProfiles.end.textUnlisted' : 'consoleAmbassadorProfiles.end.text',
        { name },
      ),
      ...become('ended'),
    },
  ]
}

const typed = z.coerce.number().check(z.int(), z.gte(1))
/** As many digits as a position can have. */
const wantedPlace = z.string().check(z.maxLength(6))

type PlaceProps = { of: Context; act: Act<ConsoleAmbassador>; isBusy: boolean }

/** The ambassador's position on the page, from 1. */
function PlaceForm({ of: { t, record }, act, isBusy }: PlaceProps) {
  const { id, place, placeMax } = record
  const [wanted, setWanted] = useState(String(place))
  const parsed = typed.safeParse(wanted)
  const move = (event: FormEvent) => {
    event.preventDefault()
    if (!parsed.success) return
    act(call(setAmbassadorOrder, { params: { id }, body: { place: parsed.data } }), (latest) =>
      t('consoleAmbassadorProfiles.placed', { place: latest.place ?? '' }),
    )
  }
  return (
    <form className={styles.place} onSubmit={move}>
      <TextField
        label={t('consoleAmbassadorProfiles.placeField', { max: placeMax })}
        maxLength={boundsOf(wantedPlace).maxLength}
        inputMode="numeric"
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      <Button
        type="submit"
        kind="quiet"
        busy={isBusy}
        disabled={!parsed.success || parsed.data > placeMax || parsed.data === place}
      >
        {t('consoleAmbassadorProfiles.place.do')}
      </Button>
    </form>
  )
}

function standingSection(of: Context): DetailSection<ConsoleAmbassador> | false {
  const { t, record } = of
  const { reason, place } = record
  const section = { id: 'standing', heading: 'consoleAmbassadorProfiles.actions' } as const
  const why = reason && <p>{t('consoleAmbassadorProfiles.reason.was', { reason })}</p>
  if (!mayDecide(of)) return why !== '' && { ...section, body: why }
  const before = (act: Act<ConsoleAmbassador>, isBusy: boolean) => (
    <>
      {why}
      {place !== null && <PlaceForm key={place} of={of} act={act} isBusy={isBusy} />}
    </>
  )
  return { ...section, actions: { before, actions: actionsOf(of) } }
}

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
function SubmittedProfile({ of, submitted, reason, mayDecide }: Props) {
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

function PublicProfile({ version }: { version: ProfileVersion }) {
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

export default detailPage<ConsoleAmbassador>({
  route: 'console.ambassadorProfile',
  back: 'consoleAmbassadorProfiles.back',
  failed: 'consoleAmbassadorProfiles.failed',
  gone: 'consoleAmbassadorProfiles.gone',
  read: (id) => call(getConsoleAmbassador, { params: { id } }),
  conflict: 'consoleAmbassadorProfiles.conflict',
  name: ({ record, language }) => nameIn(record, language),
  title: ({ name }) => name,
  lead: ({ record }) => <StandingTag standing={record.standing} />,
  notices: ({ t, mayAct, record }) =>
    mayAct ? (
      record.isOwn && (
        <Message kind="note">
          <p>{t('consoleAmbassadorProfiles.own')}</p>
        </Message>
      )
    ) : (
      <p>{t('consoleAmbassadorProfiles.readOnly')}</p>
    ),
  columns: [
    (of) => [
      {
        id: 'submitted',
        heading: 'consoleAmbassadorProfiles.submitted',
        lead: of.record.submitted ? 'consoleAmbassadorProfiles.submitted.lead' : undefined,
        body: of.record.submitted ? (
          <SubmittedProfile
            of={of}
            submitted={of.record.submitted}
            reason={reasonField(of.t)}
            mayDecide={mayDecide(of) && of.record.standing !== 'ended'}
          />
        ) : (
          <p>{of.t('consoleAmbassadorProfiles.submitted.none')}</p>
        ),
      },
      {
        id: 'public',
        heading: 'consoleAmbassadorProfiles.public',
        body: of.record.approved ? (
          <PublicProfile version={of.record.approved} />
        ) : (
          <p>{of.t('consoleAmbassadorProfiles.public.none')}</p>
        ),
      },
    ],
    (of) => [
      { id: 'facts', heading: 'consoleAmbassadorProfiles.facts', facts: factsOf(of) },
      {
        id: 'results',
        heading: 'consoleAmbassadorProfiles.results',
        lead: of.record.results ? 'consoleAmbassadorProfiles.results.lead' : undefined,
        body: <Results of={of} />,
      },
      standingSection(of),
    ],
  ],
})
