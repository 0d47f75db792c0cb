export { ArticleIndex as Page } from '../components/article/ArticleIndex'
