import { useState, type FormEvent } from 'react'
import * as z from 'zod/mini'
import { boardReason } from '#contract/ambassador-profiles.ts'
import {
  getConsoleAmbassador,
  setAmbassadorOrder,
  setAmbassadorStatus,
  type ConsoleAmbassador,
} from '#contract/console-ambassador-profiles.ts'
import { call } from '../../call/call.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import type { UsedMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/description-list.tsx'
import { TextField } from '../../ui/field.tsx'
import { Message } from '../../ui/form-status.tsx'
import type { Act, DetailAction } from '../detail/detail-actions.tsx'
import { detailPage, type DetailContext, type DetailSection } from '../detail/detail-page.tsx'
import { LabeledFacts, type LabeledValues } from '../detail/labeled-facts.tsx'
import styles from './ambassador-profiles.module.css'
import { nameIn, StandingTag } from './standing-tag.tsx'
import { PublicProfile, SubmittedProfile } from './submitted-profile.tsx'

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
