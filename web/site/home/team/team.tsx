import { useId, useState } from 'react'
import { Avatar } from '../../../kernel/brand/avatar.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { networksIn } from '../../../kernel/layout/served/social-networks.tsx'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import styles from './team.module.css'

type Group = HomeFacts['team'][number]

export function Team({ groups }: { groups: readonly Group[] }) {
  const { t } = useMessages()
  return (
    <HomeSection id="team" heading={t('home.team.heading')} intro={t('home.team.intro')}>
      {groups.map((group) => (
        <TeamGroup key={group.id} group={group} />
      ))}
    </HomeSection>
  )
}

/** The number of people in the first row on the narrowest screen. A group that fits in it has no button. */
const smallGroup = 2

/**
 * A collapsed group shows its first row without skills, and the hidden rest cannot be focused. Without JavaScript it is
 * open.
 */
function TeamGroup({ group }: { group: Group }) {
  const { t } = useMessages()
  const isSmall = group.members.length <= smallGroup
  const [isExpanded, setExpanded] = useState(isSmall)
  const id = useId()
  return (
    <section
      className={styles.group}
      aria-labelledby={`${id}title`}
      data-collapsed={!isExpanded || undefined}
    >
      <h3 id={`${id}title`} className={styles.groupTitle}>
        {group.title}
      </h3>
      {!isSmall && (
        <button
          id={`${id}toggle`}
          type="button"
          className={styles.toggle}
          aria-expanded={isExpanded}
          aria-controls={`${id}members`}
          aria-labelledby={`${id}toggle ${id}title`}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? t('home.team.showLess') : t('home.team.expand')}
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path
              d={isExpanded ? 'M1 6h10' : 'M1 6h10M6 1v10'}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.25"
            />
          </svg>
        </button>
      )}
      <ul id={`${id}members`} className={styles.members}>
        {group.members.map((member) => (
          <Member key={member.id} member={member} />
        ))}
      </ul>
    </section>
  )
}

function Member({ member }: { member: Group['members'][number] }) {
  const { t } = useMessages()
  const { name, photo, linkedin } = member
  return (
    <li className={styles.member}>
      {photo ? (
        <img
          className={styles.portrait}
          src={`/assets/people/${photo}`}
          alt=""
          width="160"
          height="160"
          loading="lazy"
          decoding="async"
        />
      ) : (
        <Avatar className={styles.portrait} name={member.id} size={160} />
      )}
      <p className={styles.name}>
        {name}
        {member.isSpecial && <span className={styles.special}>{t('home.team.special')}</span>}
      </p>
      <p className={styles.role}>{member.title}</p>
      {linkedin && (
        <a
          className={styles.profile}
          href={linkedin}
          rel="noopener"
          aria-label={t('home.team.linkedin', { name })}
        >
          {t('layout.social.linkedin')}
        </a>
      )}
      {networksIn(member.links ?? {}).map(({ name: network, href, label }) => (
        <a
          key={network}
          className={styles.profile}
          href={href}
          rel="noopener"
          aria-label={t('home.team.elsewhere', { name, network: label ? t(label) : network })}
        >
          {label ? t(label) : network}
        </a>
      ))}
      {member.skills.length > 0 && (
        <ul className={styles.skills} aria-label={t('home.team.skills')}>
          {member.skills.map((skill) => (
            <li key={skill}>{skill}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
