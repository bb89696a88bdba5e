import { page } from '../routes/page.ts'
import { heroPreloads } from './hero-files.ts'
import { CoinFacts } from './home/figures/coin-facts.tsx'
import { Comparison } from './home/figures/comparison.tsx'
import { Features } from './home/features/features.tsx'
import { HomeFilms } from './home/films/home-films.tsx'
import { HomeHero } from './home/hero/home-hero.tsx'
import { homeFactFiles } from './home/home-fact-files.ts'
import type { HomeFacts } from './home/home-facts.ts'
import { Roadmap } from './home/roadmap/roadmap.tsx'
import { Overview } from './home/story/overview.tsx'
import { Partners } from './home/story/partners.tsx'
import { ProblemSolution } from './home/story/problem-solution.tsx'
import { Team } from './home/team/team.tsx'

function HomeView({ data }: { data: HomeFacts }) {
  return (
    <>
      <HomeHero />
      <Partners partners={data.partners} />
      <Overview synergy={data.synergy} />
      <HomeFilms films={data.films} />
      <ProblemSolution />
      <CoinFacts facts={data.coinFacts} />
      <Features features={data.features} />
      <Comparison {...data.comparison} />
      <Roadmap milestones={data.roadmap} />
      <Team groups={data.team} />
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
  preload: heroPreloads,
  View: HomeView,
})
