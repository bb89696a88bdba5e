import { listAmbassadors } from '#contract/people/ambassador-profiles.ts'
import { Avatar } from '../kernel/brand/avatar.tsx'
import { Woven } from '../kernel/brand/woven.tsx'
import { DocumentFacts } from '../kernel/documents/document-facts.tsx'
import { linkToDocument } from '../kernel/documents/link-to-document.ts'
import { FilmVideo } from '../kernel/films/film-video.tsx'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { ExternalLink } from '../kernel/layout/external-link.tsx'
import { Hidden } from '../kernel/layout/hidden.tsx'
import { page, type LoadContext } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { ButtonLink } from '../kernel/ui/button.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import pageSection from '../kernel/ui/page-section.module.css'
import {
  type Ambassador,
  ambassadorFactFiles,
  ambassadorFacts,
  type AmbassadorFacts,
} from './ambassador-facts.ts'
import styles from './ambassador-program-page.module.css'
import { ApplicationSection } from './application/application-section.tsx'
import { petalsFor } from './petals-for.ts'

/**
 * Ambassadors from the file come first, in its order, followed by those who joined, in the display order set by staff.
 */
async function load({ call, facts, brand, language }: LoadContext): Promise<AmbassadorFacts> {
  const [found, joined] = await Promise.all([facts(...ambassadorFactFiles), call(listAmbassadors, {})])
  const localized = ambassadorFacts(found, brand, language)
  const others = joined.map(({ slug, name, place, link, photo }) => ({
    id: slug,
    slug,
    photo: photo ?? undefined,
    profile: link || undefined,
    isSpecial: false,
    name: name[language] ?? name.en,
    location: place[language] ?? place.en,
  }))
  return { ...localized, others: [...localized.others, ...others] }
}

function AmbassadorProgramView({ data }: { data: AmbassadorFacts }) {
  const { t } = useMessages()
  return (
    <>
      <PageHero
        heading={t('ambassador.hero.title')}
        lead={t('ambassador.hero.lead')}
        drawing={<Petals people={data.special.length + data.others.length} />}
      >
        <div className={styles.ways}>
          {data.ebook && (
            <ButtonLink {...linkToDocument(data.ebook)} download>
              {t('ambassador.hero.ebook')}
            </ButtonLink>
          )}
          <a className={styles.apply} href="#apply">
            {t('ambassador.hero.apply')}
          </a>
          {data.ebook && <DocumentFacts file={data.ebook} className={styles.facts} />}
        </div>
      </PageHero>
      <AmbassadorList special={data.special} others={data.others} />
      {data.film && <PromoSection film={data.film} />}
      <AboutSection />
      <ApplicationSection />
    </>
  )
}

function PromoSection({ film }: { film: NonNullable<AmbassadorFacts['film']> }) {
  const { t } = useMessages()
  return (
    <section
      id="film"
      className={`${pageSection.section} ${styles.promo}`}
      aria-labelledby="film-heading"
      data-ground="dark"
    >
      <div className={styles.words}>
        <h2 id="film-heading">{t('ambassador.promo.heading')}</h2>
        <p>{film.description}</p>
        <p className={styles.length}>{t('ambassador.promo.intro', { seconds: film.seconds })}</p>
      </div>
      <div className={styles.film}>
        <FilmVideo film={film} sizes="(min-width: 60rem) 66vw, 100vw" />
      </div>
    </section>
  )
}

function AboutSection() {
  const { t } = useMessages()
  return (
    <section id="about" className={`${pageSection.section} ${styles.about}`} aria-labelledby="about-heading">
      <h2 id="about-heading">{t('ambassador.about.heading')}</h2>
      <p className={styles.lead}>{t('ambassador.about.paragraph1')}</p>
      <p className={styles.first}>{t('ambassador.about.paragraph2')}</p>
      <p className={styles.second}>{t('ambassador.about.paragraph3')}</p>
    </section>
  )
}

/** All ambassadors as a list. The special one comes first, set apart from the others. */
export function AmbassadorList({
  special,
  others,
}: {
  special: readonly Ambassador[]
  others: readonly Ambassador[]
}) {
  const { t } = useMessages()
  const isEmpty = special.length + others.length === 0
  return (
    <section
      id="ambassadors"
      className={`${pageSection.section} ${styles.list}`}
      aria-labelledby="ambassadors-heading"
    >
      <h2 id="ambassadors-heading">{t('ambassador.list.heading')}</h2>
      <p className={styles.intro}>{t(isEmpty ? 'ambassador.list.none' : 'ambassador.list.intro')}</p>
      {special.map((person) => (
        <article key={person.id} className={styles.special}>
          <Portrait person={person} size={280} />
          <p className={styles.honour}>{t('ambassador.list.special')}</p>
          <h3>{person.name}</h3>
          <p className={styles.location}>{person.location}</p>
          <Badge person={person} />
          <Profile person={person} isSpelledOut />
        </article>
      ))}
      {others.length > 0 && (
        <ul className={styles.register}>
          {others.map((person) => (
            <li key={person.id} className={styles.person}>
              <Portrait person={person} size={64} />
              <div>
                <h3>{person.name}</h3>
                <p className={styles.location}>{person.location}</p>
                <Badge person={person} />
              </div>
              <Profile person={person} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Portrait({ person: { id, photo }, size }: { person: Ambassador; size: number }) {
  if (!photo) return <Avatar name={id} size={size} className={styles.portrait} />
  return (
    <img
      className={styles.portrait}
      src={photo}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  )
}

/** Links to the page where readers can recognize impostors. */
function Badge({ person: { name, slug } }: { person: Ambassador }) {
  const { t } = useMessages()
  return (
    <a className={styles.badge} href={pathTo('ambassador', { slug })}>
      {t('ambassador.list.badge')}
      <Hidden> {name}</Hidden>
    </a>
  )
}

function Profile({
  person: { name, profile },
  isSpelledOut = false,
}: {
  person: Ambassador
  isSpelledOut?: boolean
}) {
  const { t } = useMessages()
  if (!profile) return null
  const words = t('ambassador.list.profile', { name })
  return (
    <ExternalLink href={profile} className={styles.profile}>
      {isSpelledOut ? words : <Hidden>{words}</Hidden>}
    </ExternalLink>
  )
}

/** A flower with the same number of petals for each ambassador, woven from two opposite lines. */
function Petals({ people }: { people: number }) {
  const lobes = petalsFor(people)
  const petals = { inner: 60, outer: 98, lobes, lean: 120 / lobes }
  const heart = { inner: 9, outer: 21, lobes: 12, lean: 8 }
  // Keeps neighboring copies equally close, on many narrow petals and on few wide ones.
  const twist = 10.8 / lobes
  return (
    <div className={styles.flower}>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-102 -102 204 204">
        <Woven
          figure={{ ...petals, lean: -petals.lean }}
          times={30}
          twist={-twist}
          shrink={0.021}
          className={styles.verdigris}
        />
      </svg>
      <svg className={styles.layer} viewBox="-102 -102 204 204">
        <Woven figure={petals} times={30} twist={twist} shrink={0.021} className={styles.copper} />
        {Array.from({ length: lobes }, (_, at) => (
          <circle
            key={at}
            cx="98"
            r="1.3"
            transform={`rotate(${(360 / lobes) * at})`}
            className={styles.tip}
          />
        ))}
      </svg>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-102 -102 204 204">
        <Woven figure={heart} times={5} twist={6} className={styles.paper} />
      </svg>
    </div>
  )
}

export default page({ load, View: AmbassadorProgramView })
