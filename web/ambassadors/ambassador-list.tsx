import { Avatar } from '../brand/avatar.tsx'
import type { PlainKey } from '../i18n/message-key.ts'
import { useMessages } from '../i18n/messages.tsx'
import { ExternalLink } from '../layout/external-link.tsx'
import { Hidden } from '../layout/hidden.tsx'
import { pathTo } from '../routes/routes.ts'
import section from '../ui/page-section.module.css'
import type { Ambassador } from './ambassador-facts.ts'
import styles from './ambassador-list.module.css'

/** All ambassadors as a list. The special one comes first, set apart from the others. */
export function AmbassadorList({
  special,
  others,
}: {
  special: readonly Ambassador[]
  others: readonly Ambassador[]
}) {
  const { t } = useMessages()
  const intro = introOf([...special, ...others])
  // If all entries are samples, the introduction says so once.
  const marksSamples = intro === 'ambassador.list.someSamples'
  return (
    <section
      id="ambassadors"
      className={`${section.section} ${styles.list}`}
      aria-labelledby="ambassadors-heading"
    >
      <h2 id="ambassadors-heading">{t('ambassador.list.heading')}</h2>
      <p className={styles.intro}>{t(intro)}</p>
      {special.map((person) => (
        <article key={person.id} className={styles.special}>
          <Portrait person={person} size={280} />
          <p className={styles.honour}>{t('ambassador.list.special')}</p>
          <h3>{person.name}</h3>
          {marksSamples && <Sample person={person} />}
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
                {marksSamples && <Sample person={person} />}
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

/** Readers must not mistake a fictional person for a real one. */
function introOf(people: readonly Ambassador[]): PlainKey {
  if (people.length === 0) return 'ambassador.list.none'
  if (people.every(({ isSample }) => isSample)) return 'ambassador.list.allSamples'
  return people.some(({ isSample }) => isSample) ? 'ambassador.list.someSamples' : 'ambassador.list.intro'
}

function Sample({ person }: { person: Ambassador }) {
  const { t } = useMessages()
  return person.isSample && <p className={styles.sample}>{t('ambassador.list.sample')}</p>
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
