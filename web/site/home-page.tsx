import { page } from '../kernel/routes/page.ts'
import { Still } from '../kernel/still/still.tsx'
import { heroPreloads } from './hero-files.ts'
import { HomeHero } from './home/hero/home-hero.tsx'
import type { HomeData } from './home/home-facts.ts'
import { homeParts } from './home/deferred-home-parts.ts'

const hydrateCarousel = async () => (await import('./home/roadmap/hydrate-carousel.ts')).hydrateCarousel

/** Leaves out sections without content. Consecutive static sections form one part, which needs less script. */
function HomeView({ data }: { data: HomeData }) {
  const { films, heroFilm, roadmap, sale } = data
  return (
    <>
      <HomeHero parts={homeParts} film={heroFilm} isSelling={sale?.state === 'open'} />
      <Still of={homeParts} part="Opening" given={data} />
      {films.length > 0 && <Still of={homeParts} part="HomeFilms" given={{ films }} answers="a" />}
      <Still of={homeParts} part="Reasons" given={data} />
      {roadmap.length > 0 && (
        <Still
          of={homeParts}
          part="Roadmap"
          given={{ milestones: roadmap }}
          hydrate={hydrateCarousel}
          hydrateMedia="(min-width: 960px)"
        />
      )}
      <Still of={homeParts} part="Closing" given={data} answers="button" />
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
