import { HeroPicture } from '../hero-picture.tsx'
import { CoinFacts } from './figures/coin-facts.tsx'
import { Comparison } from './figures/comparison.tsx'
import { Features } from './features/features.tsx'
import { HomeFilms } from './films/home-films.tsx'
import { HeroWords } from './hero/hero-words.tsx'
import { Roadmap } from './roadmap/roadmap.tsx'
import { Overview } from './story/overview.tsx'
import { Partners } from './story/partners.tsx'
import { ProblemSolution } from './story/problem-solution.tsx'
import { HomeSale } from './sale/home-sale.tsx'
import { Team } from './team/team.tsx'

/** All components of the home page except those that play something. */
export default {
  CoinFacts,
  Comparison,
  Features,
  HeroPicture,
  HeroWords,
  HomeFilms,
  HomeSale,
  Overview,
  Partners,
  ProblemSolution,
  Roadmap,
  Team,
}
