import { HeroPicture } from '../hero-picture.tsx'
import { HomeFilms } from './films/home-films.tsx'
import { HeroWords } from './hero/hero-words.tsx'
import { Closing, Opening, Reasons } from './home-groups.tsx'
import { Roadmap } from './roadmap/roadmap.tsx'

/** All components of the home page except those that play something. */
export default { Closing, HeroPicture, HeroWords, HomeFilms, Opening, Reasons, Roadmap }
