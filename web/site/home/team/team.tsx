import { useId, useState } from 'react'
import { useWords } from '../../../i18n/words.tsx'
import type { LateParts } from '../../../still/late-parts.ts'
import { Still } from '../../../still/still.tsx'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import type { TeamMembers } from './team-members.tsx'
import styles from './team.module.css'

type Group = HomeFacts['team'][number]

type Parts = LateParts<{ TeamMembers: typeof TeamMembers }>

export function Team({ groups, parts }: { groups: readonly Group[]; parts: Parts }) {
  const { t } = useWords()
  return (
    <HomeSection id="team" heading={t('home.team.heading')} intro={t('home.team.intro')}>
      {groups.map((group) => (
        <TeamGroup key={group.id} group={group} parts={parts} />
      ))}
    </HomeSection>
  )
}

/** The size of the first row on the narrowest screen: a group that fits in it has nothing to collapse. */
const smallGroup = 2

/** Collapsed, a group shows its first row without skills; the hidden rest is not focusable. Without script it is open. */
function TeamGroup({ group, parts }: { group: Group; parts: Parts }) {
  const { t } = useWords()
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
      <Still
        as="ul"
        id={`${id}members`}
        className={styles.members}
        of={parts}
        part="TeamMembers"
        given={{ members: group.members }}
      />
    </section>
  )
}
