/** The facts of the home page. Apart, so that they are asked for while the script that picks from them loads. */
export const homeFactFiles = [
  'facts/coin-facts.json',
  'facts/comparison.json',
  'facts/features.json',
  'facts/films.json',
  'facts/partners.json',
  'facts/roadmap.json',
  'facts/synergy.json',
  'facts/team.json',
] as const
