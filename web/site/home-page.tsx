import { page } from '../routes/page.ts'
import { Still } from '../still/still.tsx'
import { heroPreloads } from './hero-files.ts'
import { HomeFilms } from './home/films/home-films.tsx'
import { HomeHero } from './home/hero/home-hero.tsx'
import { homeFactFiles } from './home/home-fact-files.ts'
import type { HomeFacts } from './home/home-facts.ts'
import { homeParts } from './home/late-home-parts.ts'
import { Roadmap } from './home/roadmap/roadmap.tsx'
import { Team } from './home/team/team.tsx'

function HomeView({ data }: { data: HomeFacts }) {
  const { coinFacts, comparison, features, partners, synergy } = data
  return (
    <>
      <HomeHero parts={homeParts} />
      <Still of={homeParts} part="Partners" given={{ partners }} />
      <Still of={homeParts} part="Overview" given={{ synergy }} />
      <HomeFilms films={data.films} />
      <Still of={homeParts} part="ProblemSolution" given={{}} />
      <Still of={homeParts} part="CoinFacts" given={{ facts: coinFacts }} />
      <Still of={homeParts} part="Features" given={{ features }} />
      <Still of={homeParts} part="Comparison" given={comparison} />
      <Roadmap parts={homeParts} milestones={data.roadmap} />
      <Team parts={homeParts} groups={data.team} />
    </>
  )
}

export default page({
  // A chunk of its own: on the first load the server's answer holds the facts already.
  load: async ({ facts, language }) => {
    const [{ homeFacts }, found] = await Promise.all([
      import('./home/home-facts.ts'),
      facts(...homeFactFiles),
    ])
    return homeFacts(found, language)
  },
  parts: homeParts,
  preload: heroPreloads,
  View: HomeView,
})
