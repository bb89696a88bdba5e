/** Data files of the home page. A separate module, so that they are requested while the script that uses them loads. */
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
