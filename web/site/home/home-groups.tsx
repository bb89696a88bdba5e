import { Features } from './features/features.tsx'
import { WalletCall } from './features/wallet-offer.tsx'
import { CoinFacts } from './figures/coin-facts.tsx'
import { Comparison } from './figures/comparison.tsx'
import type { HomeData, HomeFacts } from './home-facts.ts'
import { HomeSale } from './sale/home-sale.tsx'
import { SectionLinks } from './section-links.tsx'
import { Overview } from './story/overview.tsx'
import { Partners } from './story/partners.tsx'
import { ProblemSolution } from './story/problem-solution.tsx'
import { Team } from './team/team.tsx'

/** The first part: the sale, and what the project is. */
export function Opening(data: HomeData) {
  const { partners, sale, synergy } = data
  return (
    <>
      <SectionLinks {...data} />
      {sale && <HomeSale sale={sale} />}
      {partners.length > 0 && <Partners partners={partners} />}
      <Overview synergy={synergy} />
    </>
  )
}

/** The reasons to choose the coin. */
export function Reasons({ coinFacts, comparison, features, heroFilm }: HomeFacts) {
  return (
    <>
      <ProblemSolution />
      {coinFacts.length > 0 && <CoinFacts facts={coinFacts} />}
      <Features features={features} heroFilm={heroFilm} />
      {comparison.rows.length > 0 && <Comparison {...comparison} />}
    </>
  )
}

/** The team, and the call to action from the features again. */
export function Closing({ team }: HomeFacts) {
  return (
    <>
      {team.length > 0 && <Team groups={team} />}
      <WalletCall id="get-wallet" isLast />
    </>
  )
}
