import { guilloche } from '../kernel/brand/guilloche.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { page } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { ButtonLink } from '../kernel/ui/button.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import styles from './placeholder/unfinished-rosette.module.css'

function PlaceholderView() {
  const { t } = useMessages()
  return (
    <PageHero heading={t('placeholder.title')} lead={t('placeholder.text')} drawing={<UnfinishedRosette />}>
      <ButtonLink href={pathTo('home')}>{t('placeholder.home')}</ButtonLink>
    </PageHero>
  )
}

/** Each band is one full turn around the center, so that a part of the line is a part of the circle. */
const bands = [
  { ink: 'copper', inner: 66, outer: 97, figure: { lobes: 132, lean: 4.5, precision: 4 } },
  { ink: 'verdigris', inner: 34, outer: 63, figure: { lobes: 84, lean: 7, precision: 4 } },
  { ink: 'paper', inner: 12, outer: 31, figure: { lobes: 44, lean: 12, precision: 4 } },
] as const

const drawn = bands.map(({ ink, inner, outer, figure }) => ({
  ink,
  path: guilloche({ inner, outer, ...figure }),
}))
const edges = bands.flatMap(({ inner, outer }) => [inner, outer])

/** A half-finished rosette: the edges are marked, and two thirds of the lines are drawn. */
function UnfinishedRosette() {
  return (
    <div className={styles.sheet}>
      <svg className={styles.rosette} viewBox="-100 -100 200 200">
        {edges.map((radius) => (
          <circle key={radius} r={radius} className={styles.edge} />
        ))}
        <g className={styles.work}>
          {drawn.map(({ ink, path }) => (
            <path key={ink} className={styles[ink]} d={path} pathLength="1" strokeDasharray="0.64 1" />
          ))}
        </g>
      </svg>
    </div>
  )
}

export default page({ View: PlaceholderView })
