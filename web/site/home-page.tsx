import { page } from '../kernel/routes/page.ts'
import { Still } from '../kernel/still/still.tsx'
import { heroPreloads } from './hero-files.ts'
import { HomeHero } from './home/hero/home-hero.tsx'
import type { HomeData } from './home/home-facts.ts'
import { homeParts } from './home/deferred-home-parts.ts'

const hydrateCarousel = async () => (await import('./home/roadmap/hydrate-carousel.ts')).hydrateCarousel

/** Sections without content are left out. */
function HomeView({ data }: { data: HomeData }) {
  const { coinFacts, comparison, features, films, heroFilm, partners, roadmap, sale, synergy, team } = data
  return (
    <>
      <HomeHero parts={homeParts} film={heroFilm} isSelling={sale?.state === 'open'} />
      {sale && <Still of={homeParts} part="HomeSale" given={{ sale }} />}
      {partners.length > 0 && <Still of={homeParts} part="Partners" given={{ partners }} />}
      <Still of={homeParts} part="Overview" given={{ synergy }} />
      {films.length > 0 && <Still of={homeParts} part="HomeFilms" given={{ films }} answers="a" />}
      <Still of={homeParts} part="ProblemSolution" given={{}} />
      {coinFacts.length > 0 && <Still of={homeParts} part="CoinFacts" given={{ facts: coinFacts }} />}
      <Still of={homeParts} part="Features" given={{ features, heroFilm }} />
      {comparison.rows.length > 0 && <Still of={homeParts} part="Comparison" given={comparison} />}
      {roadmap.length > 0 && (
        <Still
          of={homeParts}
          part="Roadmap"
          given={{ milestones: roadmap }}
          hydrate={hydrateCarousel}
          hydrateMedia="(min-width: 960px)"
        />
      )}
      {team.length > 0 && <Still of={homeParts} part="Team" given={{ groups: team }} answers="button" />}
    </>
  )
}

export default page({
  // A separate chunk, because on the first load the server's response already contains the data.
  load: async (context) => (await import('./home/load-home.ts')).loadHome(context),
  parts: homeParts,
  // The preload must precede everything else, so only the server renders it.
  preload: ({ heroFilm }) => (import.meta.env.SSR && heroFilm ? heroPreloads(heroFilm) : []),
  View: HomeView,
})
