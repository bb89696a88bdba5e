import { HeroPicture } from '../hero-picture.tsx'
import { CoinFacts } from './figures/coin-facts.tsx'
import { Comparison } from './figures/comparison.tsx'
import { Features } from './features/features.tsx'
import { HeroWords } from './hero/hero-words.tsx'
import { Milestones } from './roadmap/milestones.tsx'
import { Overview } from './story/overview.tsx'
import { Partners } from './story/partners.tsx'
import { ProblemSolution } from './story/problem-solution.tsx'
import { TeamMembers } from './team/team-members.tsx'

/** What the home page shows without changing it. */
export default {
  CoinFacts,
  Comparison,
  Features,
  HeroPicture,
  HeroWords,
  Milestones,
  Overview,
  Partners,
  ProblemSolution,
  TeamMembers,
}
