import { name } from '#content/brand.json'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { loadAuthor, NewsAuthor, type AuthorData } from './news-author.tsx'
import { loadCategory, NewsCategory, type CategoryData } from './news-category.tsx'

export type NewsOfData = CategoryData | AuthorData

/** The posts of one category or by one author. */
const NewsOfView = ({ data }: PageProps<NewsOfData>) =>
  data.of === 'category' ? <NewsCategory data={data} /> : <NewsAuthor data={data} />

export default page<NewsOfData>({
  load: (context) => {
    if (context.params['of'] === 'category') return loadCategory(context)
    if (context.params['of'] === 'author') return loadAuthor(context)
    throw Object.assign(new Error('no such list'), { status: 404 })
  },
  head: (data) =>
    data.of === 'category'
      ? {
          title: `${data.head.title} · ${name}`,
          description: data.head.description,
          isUnlisted: data.filter.q !== '',
        }
      : {
          title: `${data.author.name} · ${name}`,
          languages: data.languages,
          isUnlisted: data.page > 1 && data.posts.length === 0,
        },
  View: NewsOfView,
})
