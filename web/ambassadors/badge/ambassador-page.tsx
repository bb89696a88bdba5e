import { name as brand } from '#content/brand.json'
import { getAmbassador, type AmbassadorPage } from '#contract/people/ambassador-profiles.ts'
import type { Language } from '#contract/platform/languages.ts'
import { Avatar } from '../../kernel/brand/avatar.tsx'
import { useBrand } from '../../kernel/content/brand.tsx'
import { joinNames } from '../../kernel/i18n/interpolate.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { useMessages, FormattedMessage } from '../../kernel/i18n/messages.tsx'
import { ExternalLink } from '../../kernel/layout/external-link.tsx'
import { page, type LoadContext, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { PageHero } from '../../kernel/ui/page-hero.tsx'
import section from '../../kernel/ui/page-section.module.css'
import { ambassadorEntry } from '../ambassador-facts.ts'
import styles from './ambassador-page.module.css'

type Person = {
  slug: string
  name: string
  /** A date or a time. Null if the project's own list does not say. */
  since: string | null
  endedAt: string | null
  place: string
  sentence: string
  /** Names in the language of the page. */
  languages: string
  link: string
  photo: string | null
  /** Whether the person was invented, which keeps the page out of search engines. */
  isSample: boolean
}

export type AmbassadorData = {
  /** Null if nobody has this slug. */
  person: Person | null
}

async function load({ call, facts, language, params }: LoadContext): Promise<AmbassadorData> {
  const slug = params['slug'] ?? ''
  const joined = await call(getAmbassador, { params: { slug } }).catch((failure: unknown) => {
    if ((failure as { status?: unknown }).status === 404) return null
    throw failure
  })
  if (joined) return { person: personWithAccount(joined, slug, language) }
  const entry = ambassadorEntry(await facts('facts/ambassadors.json'), language, slug)
  return { person: entry ? personInList(entry, slug) : null }
}

const noProfile = { place: '', sentence: '', languages: '', link: '', photo: null }

function personWithAccount(joined: AmbassadorPage, slug: string, language: Language): Person {
  const { name, since, endedAt, profile } = joined
  const inLanguage = (texts: AmbassadorPage['name']) => texts[language] ?? texts.en
  const identity = { slug, name: inLanguage(name), since, endedAt, isSample: false }
  if (!profile) return { ...identity, ...noProfile }
  // Formatted where the page is rendered, because browsers name some languages differently.
  const names = new Intl.DisplayNames([htmlLanguage[language]], { type: 'language' })
  return {
    ...identity,
    place: inLanguage(profile.place),
    sentence: inLanguage(profile.sentence),
    languages: joinNames(
      profile.languages.map((code) => names.of(code) ?? code),
      language,
    ),
    link: profile.link,
    photo: profile.photo,
  }
}

function personInList(entry: NonNullable<ReturnType<typeof ambassadorEntry>>, slug: string): Person {
  const { name, since, until, location, profile, photo, isSample } = entry
  const identity = { slug, name, since: since ?? null, endedAt: until ?? null, isSample }
  if (until !== undefined) return { ...identity, ...noProfile }
  return { ...identity, ...noProfile, place: location, link: profile || '', photo: photo || null }
}

/** Says whether someone is an ambassador, so that readers can recognize impostors. */
function AmbassadorView({ data: { person } }: PageProps<AmbassadorData>) {
  return person ? <KnownAmbassador person={person} /> : <UnknownAmbassador />
}

function KnownAmbassador({ person }: { person: Person }) {
  const { t, formatDate } = useMessages()
  const { name, since, endedAt, place, languages, link, sentence, photo, slug } = person
  const periodText = endedAt
    ? t('ambassadorBadge.was', { name, date: formatDate(endedAt) })
    : since
      ? t('ambassadorBadge.is', { name, date: formatDate(since) })
      : t('ambassadorBadge.isUndated', { name })
  const facts = [
    ...(place ? [{ name: 'place', label: t('ambassadorBadge.place'), value: place }] : []),
    ...(languages ? [{ name: 'languages', label: t('ambassadorBadge.languages'), value: languages }] : []),
  ]
  return (
    <>
      <PageHero
        size="low"
        above={<p className={styles.above}>{t('ambassadorBadge.above')}</p>}
        heading={name}
        lead={periodText}
        drawing={<Seal name={slug} isVoid={endedAt !== null} />}
      />
      <section className={`${section.section} ${styles.body}`}>
        {!endedAt && (
          <div className={styles.person}>
            {photo ? (
              <img className={styles.portrait} src={photo} alt="" width={240} height={240} decoding="async" />
            ) : (
              <Avatar name={slug} size={240} className={styles.portrait} />
            )}
            <div className={styles.words}>
              {sentence && <p className={styles.sentence}>{sentence}</p>}
              {facts.length > 0 && <Facts facts={facts} />}
              {link && (
                <p>
                  <ExternalLink href={link}>{t('ambassadorBadge.link', { name })}</ExternalLink>
                </p>
              )}
            </div>
          </div>
        )}
        <HowToCheck />
      </section>
    </>
  )
}

function UnknownAmbassador() {
  const { t } = useMessages()
  return (
    <>
      <PageHero
        size="low"
        above={<p className={styles.above}>{t('ambassadorBadge.unknown.above')}</p>}
        heading={t('ambassadorBadge.unknown.heading')}
        lead={t('ambassadorBadge.unknown.lead')}
        drawing={<Seal name="" isVoid />}
      />
      <section className={`${section.section} ${styles.body}`}>
        <HowToCheck />
      </section>
    </>
  )
}

/** A rosette derived from the slug, different for each ambassador. */
function Seal({ name, isVoid }: { name: string; isVoid: boolean }) {
  return (
    <div className={isVoid ? `${styles.seal} ${styles.void}` : styles.seal}>
      <Avatar name={name} size={420} />
    </div>
  )
}

function HowToCheck() {
  const { t } = useMessages()
  const { email } = useBrand()
  return (
    <div className={styles.check}>
      <h2>{t('ambassadorBadge.check.heading')}</h2>
      <ul>
        <li>
          <FormattedMessage
            k="ambassadorBadge.check.address"
            tags={{ home: (words) => <a href={pathTo('home')}>{words}</a> }}
          />
        </li>
        <li>{t('ambassadorBadge.check.never')}</li>
        <li>
          <FormattedMessage
            k="ambassadorBadge.check.report"
            values={{ email }}
            tags={{ link: (words) => <a href={`mailto:${email}`}>{words}</a> }}
          />
        </li>
      </ul>
      <p>
        <a href={`${pathTo('ambassadorProgram')}#ambassadors`}>{t('ambassadorBadge.back')}</a>
      </p>
    </div>
  )
}

export default page<AmbassadorData>({
  load,
  head: ({ person }) =>
    person
      ? {
          title: `${person.name} · ${brand}`,
          ...(person.sentence && { description: person.sentence }),
          // Former ambassadors, samples, and unknown addresses are kept out of search engines.
          isUnlisted: person.endedAt !== null || person.place === '' || person.isSample,
        }
      : { isMissing: true },
  View: AmbassadorView,
})
