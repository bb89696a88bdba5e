import { Avatar } from '../../../brand/avatar.tsx'
import { useWords } from '../../../i18n/words.tsx'
import type { HomeFacts } from '../home-facts.ts'
import styles from './team.module.css'

type Member = HomeFacts['team'][number]['members'][number]

/** The people of a group, as entries of its list. */
export const TeamMembers = ({ members }: { members: readonly Member[] }) =>
  members.map((member) => <Person key={member.id} member={member} />)

function Person({ member }: { member: Member }) {
  const { t } = useWords()
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
      <ul className={styles.skills} aria-label={t('home.team.skills')}>
        {member.skills.map((skill) => (
          <li key={skill}>{skill}</li>
        ))}
      </ul>
    </li>
  )
}
